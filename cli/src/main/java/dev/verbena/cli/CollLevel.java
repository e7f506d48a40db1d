package dev.verbena.cli;

import dev.verbena.collectives.plan.Algorithm;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/// The flag of `verbena coll` that says how fine a simulation is, and what the coarse one refuses.
final class CollLevel {
    /// How fine.
    enum Level {
        PACKET,
        FLOW
    }

    /// With so many messages a run takes about half a minute, with a hash about two.
    private static final long MESSAGES_MAX = 1L << 20;

    /// Flags about queues of packets, which flows do not have. Those of InfiniBand are obeyed.
    private static final List<String> OF_PACKETS =
            List.of(
                    "--xoff",
                    "--lossless",
                    "--ets",
                    "--headroom",
                    "--dscp",
                    "--lossy",
                    "--cc",
                    "--cc-set",
                    "--mark",
                    "--qp-timeout");

    /// Flags about what is simulated packet by packet only.
    private static final List<String> NOT_OF_FLOWS =
            List.of(
                    "--in-network",
                    "--in-network-groups",
                    "--in-network-buffer",
                    "--in-network-alu",
                    "--in-network-window",
                    "--verdict",
                    "--trace",
                    "--trace-steps",
                    "--slow-rank",
                    "--fault");

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description =
                    "packet: every packet; flow: every message at the rate that its links give it,"
                            + " for thousands of ranks, without queues, losses and congestion"
                            + " control (packet).")
    private Level level = Level.PACKET;

    /// Whether the user has said how long pieces are.
    private boolean hasPiece;

    boolean isFlow() {
        return level == Level.FLOW;
    }

    /// Refuses what would be ignored.
    void check(ParseResult given, SimFlags fabric, CollFlags flags) {
        if (given.hasMatchedOption("--level") && !given.hasMatchedOption("--fabric")) {
            throw new UsageException(
                    "--level: fabrics are simulated with it: use --fabric roce or ib");
        }
        hasPiece = given.hasMatchedOption("--piece");
        if (!isFlow()) {
            return;
        }
        for (String name : NOT_OF_FLOWS) {
            if (given.hasMatchedOption(name)) {
                throw refused(name);
            }
        }
        if (flags.algorithm() == Algorithm.IN_NETWORK) {
            throw refused("--algorithm " + Algorithm.IN_NETWORK);
        }
        Set<String> refused = new LinkedHashSet<>(OF_PACKETS);
        if (fabric.kind == SimFlags.Kind.ROCE) {
            refused.add("--buffer");
        }
        for (String name : refused) {
            if (given.hasMatchedOption(name)) {
                throw new UsageException(
                        "--level flow: flows have no queues of packets: leave out %s, or use"
                                        .formatted(name)
                                + " --level packet");
            }
        }
    }

    private static UsageException refused(String name) {
        return new UsageException(
                "--level flow: it has no %s: leave that out, or use --level packet"
                        .formatted(name));
    }

    /// Messages of a run at most, where the user has not said how long pieces are.
    long messagesMax() {
        return hasPiece ? Long.MAX_VALUE : MESSAGES_MAX;
    }
}
