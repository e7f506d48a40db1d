package dev.verbena.cli;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// One simulation of `verbena demo`: every one of 128 hosts writes to another. The same seed gives
/// the same run.
final class DemoSimulation {
    static final int HOSTS = 128;
    static final int TIERS = 3;
    static final int RADIX = 8;

    private static final int WINDOW_PACKETS = 1 << 20;
    private static final int ACK_EVERY = 64;
    private static final long BYTES = 256 << 10;
    private static final long BUFFER = 1 << 20;
    private static final long LIMIT_PS = 1_000_000_000_000L;

    private final SimFlags flags = new SimFlags();
    private final Fabric fabric;
    private final List<Flow> flows;
    private final FlowRun run;

    DemoSimulation(long seed, boolean isLossy) throws IOException {
        flags.hosts = HOSTS;
        flags.tiers = TIERS;
        flags.radix = RADIX;
        flags.seed = seed;
        flags.lossy = isLossy;
        flags.buffer = BUFFER;
        Topology topology = flags.topology();
        fabric = new Fabric(topology, flags.settings(topology));
        flows =
                Patterns.jittered(
                        Patterns.permutation(HOSTS, BYTES, seed),
                        SimFlags.packetPs(fabric.settings()),
                        seed);
        run =
                new FlowRun(
                        fabric,
                        flows,
                        it -> it.ackRequestEvery(ACK_EVERY).windowPackets(WINDOW_PACKETS));
    }

    /// The same simulation as a command.
    String command() {
        return "verbena sim --hosts %d --tiers %d --radix %d --size 256K --buffer 1M%s --seed %d"
                .formatted(HOSTS, TIERS, RADIX, flags.lossy ? " --lossy" : "", flags.seed);
    }

    void run() {
        run.run(LIMIT_PS);
    }

    /// Runs with a capture of the link of one host.
    void run(int host, Path file) throws IOException {
        try (SimCaptures captures = new SimCaptures(fabric, HOSTS, Map.of(host, file))) {
            run();
            captures.flush();
        }
    }

    Fabric fabric() {
        return fabric;
    }

    /// Times of the flows that are over, the shortest first.
    long[] timesPs() {
        return run.timesPs();
    }

    /// Flows that are not over.
    int left() {
        return run.left();
    }

    /// Time of the flow of a host, or [FlowRun#NOT_YET].
    long timePs(int host) {
        for (int i = 0; i < flows.size(); i++) {
            if (flows.get(i).source() == host) {
                return run.endPs(i) == FlowRun.NOT_YET
                        ? FlowRun.NOT_YET
                        : run.endPs(i) - run.startedPs(i);
            }
        }
        return FlowRun.NOT_YET;
    }

    /// The receiver of the flow of a host.
    int receiver(int host) {
        return flows.stream()
                .filter(it -> it.source() == host)
                .mapToInt(Flow::destination)
                .findFirst()
                .orElse(host);
    }

    /// The first host whose flow took at least so long, and none longer than others by much: the
    /// one with the median time of those.
    int hostBeyond(long timePs) {
        int[] late =
                IntStream.range(0, HOSTS)
                        .filter(it -> timePs(it) >= timePs)
                        .boxed()
                        .sorted(Comparator.comparingLong(this::timePs))
                        .mapToInt(it -> it)
                        .toArray();
        return late.length == 0 ? flows.getFirst().source() : late[0];
    }

    /// Packets that a switch dropped.
    long drops(String node) {
        return fabric.counters(node).stream()
                .flatMap(port -> port.counts().entrySet().stream())
                .filter(it -> it.getKey().endsWith("_discards"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
