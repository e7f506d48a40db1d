package dev.verbena.cli;

import dev.verbena.fabric.Topology;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// Refuses options of `verbena sim` that would have no effect beside the others.
final class SimRefusals {
    private static final String NO_CONTROL =
            "it is RoCE's congestion control, and InfiniBand's own is not simulated";
    private static final String CREDITS =
            "InfiniBand switches give credits; they do not pause or drop";

    /// A thousand seconds.
    private static final double NS_MAX = 1e12;

    /// Millions of packets in a second.
    private static final double RATE_MIN = 0.000_001;

    private static final double RATE_MAX = 1_000_000;

    private final ParseResult given;

    SimRefusals(ParseResult given) {
        this.given = given;
    }

    /// @throws IllegalArgumentException for the first option without effect
    void check(SimFlags flags, SimCommand.Pattern pattern) {
        switch (flags.kind) {
            case IB -> infiniBand();
            case ROCE -> roce(flags);
        }
        flags.routing.check(flags.kind, given);
        shape();
        if (given.hasMatchedOption("--flows")) {
            for (String option : List.of("--pattern", "--size", "--senders", "--by")) {
                refuse(option, "with --flows", "the file names hosts and sizes");
            }
            refuse("--jitter", "with --flows", "the file names start times");
        }
        if (given.hasMatchedOption("--workload")) {
            for (String option : List.of("--flows", "--pattern", "--size", "--senders", "--by")) {
                refuse(option, "with --workload", "each workload has its own");
            }
            refuse("--dscp", "with --workload", "each workload has its class");
        }
        String beside = "with --pattern " + SimFlags.word(pattern);
        if (pattern != SimCommand.Pattern.INCAST) {
            refuse("--senders", beside, "it is for --pattern incast");
        }
        if (pattern != SimCommand.Pattern.SHIFT) {
            refuse("--by", beside, "it is for --pattern shift");
        }
        if (!given.hasMatchedOption("--series")) {
            refuse("--every", "without --series", "it is the time between rows of that file");
        }
    }

    /// @throws IllegalArgumentException for the first option that no cable needs
    void check(Topology topology) {
        boolean allRates = true;
        boolean allLengths = true;
        boolean anyUplink = false;
        for (int i = 0; i < topology.cables(); i++) {
            allRates &= topology.cablePlan(i).hasRate();
            allLengths &= topology.cablePlan(i).hasLength();
            anyUplink |= topology.isUplink(i);
        }
        if (allRates) {
            refuse("--rate", "with --topology", "the file has a speed for every cable");
        }
        if (allLengths) {
            refuse("--length", "with --topology", "the file has a length for every cable");
        }
        if (!anyUplink) {
            for (String option : List.of("--uplink-rate", "--uplink-length")) {
                refuse(option, "on a single switch", "it is for cables between switches");
            }
        }
    }

    private void shape() {
        if (given.hasMatchedOption("--topology")) {
            for (String option :
                    List.of("--chain", "--tiers", "--radix", "--oversubscription", "--hosts")) {
                refuse(option, "with --topology", "the file names hosts, switches and cables");
            }
            for (String option : List.of("--uplink-rate", "--uplink-length")) {
                refuse(option, "with --topology", "the file can say so of each cable");
            }
        }
        if (given.hasMatchedOption("--chain")) {
            for (String option : List.of("--tiers", "--radix", "--oversubscription")) {
                refuse(option, "with --chain", "it shapes a tree");
            }
        }
    }

    private void infiniBand() {
        String beside = "with --fabric ib";
        for (String option : List.of("--cc", "--cc-set", "--mark")) {
            refuse(option, beside, NO_CONTROL);
        }
        for (String option : List.of("--lossy", "--lossless", "--xoff", "--headroom")) {
            refuse(option, beside, CREDITS);
        }
        refuse("--ets", beside, "InfiniBand's lanes have equal shares here");
        refuse("--dscp", beside, "InfiniBand packets have a service level instead of a DSCP");
    }

    private void roce(SimFlags flags) {
        refuse(
                "--store-and-forward",
                "with --fabric roce",
                "the simulated Ethernet switches always store and forward");
        if (flags.lossy) {
            refuse("--lossless", "with --lossy", "no priority is paused");
            refuse("--xoff", "with --lossy", "no priority is paused");
            refuse("--headroom", "with --lossy", "no priority is paused");
        }
        if (!given.hasMatchedOption("--cc")) {
            refuse("--mark", "without --cc", "switches mark packets under congestion control only");
            refuse("--cc-set", "without --cc", "it changes a parameter of congestion control");
        }
    }

    /// @throws IllegalArgumentException for the first number that a fabric cannot have
    void numbers(SimFlags flags, int by, int ackEvery) {
        require("--switch-latency", (double) flags.switchNs, 0, NS_MAX);
        require("--nic-latency", (double) flags.nicNs, 0, NS_MAX);
        require("--ack-delay", (double) flags.ackDelayNs, 0, NS_MAX);
        require("--nic-rate", flags.nicMillions, RATE_MIN, RATE_MAX);
        require("--chain", flags.chain, 1, Integer.MAX_VALUE);
        require("--by", by, 1, Integer.MAX_VALUE);
        require("--ack-every", ackEvery, 1, Integer.MAX_VALUE);
    }

    private void require(String option, double value, double least, double most) {
        if (given.hasMatchedOption(option) && !(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    "%s %s: use %s to %s"
                            .formatted(option, number(value), number(least), number(most)));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) ? "%,.0f".formatted(value) : Double.toString(value);
    }

    private void refuse(String option, String beside, String reason) {
        if (given.hasMatchedOption(option)) {
            throw new IllegalArgumentException(
                    "%s has no effect %s: %s".formatted(option, beside, reason));
        }
    }
}
