package dev.verbena.benchmarks.fabric;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Framing;
import dev.verbena.fabric.Patterns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Work that both simulators do: three tiers without oversubscription, links of 400 Gb/s, half a
/// microsecond for each link and each switch, 64 bytes around every payload of 4,096, pauses at 120
/// packets of an input and on again at 100.
///
/// @param half hosts at a leaf, leaves of a pod, and so on
/// @param endUs the time at which htsim ends, since it does not end by itself
record Scenario(String name, int half, int pods, List<Flow> flows, int paths, int endUs) {
    private static final int PACKET = 4160;
    private static final int PAYLOAD = 4096;
    private static final long NEVER_PS = 1_000_000_000_000_000L;

    /// 2 and 1 MB, nearly.
    private static final int LONG_PACKETS = 489;

    private static final int SHORT_PACKETS = 245;

    Scenario {
        flows = List.copyOf(flows);
    }

    /// The permutation of 128 hosts, so many times as long.
    static Scenario permutation128(int times) {
        List<Flow> flows = Patterns.permutation(128, bytes(LONG_PACKETS * times), 1);
        return new Scenario("permutation of 128 hosts", 4, 8, flows, 128, 260 * times);
    }

    /// 32 hosts to one, so many times as long.
    static Scenario incast32(int times) {
        List<Flow> flows = new ArrayList<>();
        for (int i = 1; i < 32; i++) {
            flows.add(Flow.of(4 * i, 0, bytes(SHORT_PACKETS * times)));
        }
        flows.add(Flow.of(127, 0, bytes(SHORT_PACKETS * times)));
        return new Scenario("incast of 32 hosts", 4, 8, flows, 128, 665 * times);
    }

    static Scenario permutation1024() {
        List<Flow> flows = Patterns.permutation(1024, bytes(LONG_PACKETS), 1);
        return new Scenario("permutation of 1,024 hosts", 8, 16, flows, 256, 320);
    }

    /// A byte less than so many packets hold: of a message that fills its last one, htsim sends one
    /// packet more.
    private static long bytes(int packets) {
        return (long) packets * PAYLOAD - 1;
    }

    int hosts() {
        return half * half * pods;
    }

    /// How often links are crossed when each packet and its acknowledgement go once, the shortest
    /// way.
    long traversals() {
        long sum = 0;
        for (Flow flow : flows) {
            sum += 2L * links(flow) * ((flow.bytes() + 1) / PAYLOAD);
        }
        return sum;
    }

    private int links(Flow flow) {
        int leaf = half;
        int pod = half * half;
        if (flow.source() / leaf == flow.destination() / leaf) {
            return 2;
        }
        return flow.source() / pod == flow.destination() / pod ? 4 : 6;
    }

    /// What one run showed.
    record Outcome(double setUpS, double loopS, List<Long> timesPs, long dataPackets, long hops) {}

    /// Runs it here.
    ///
    /// @param isEach whether every packet is acknowledged by itself, as htsim does
    Outcome run(boolean isEach) {
        long startNs = System.nanoTime();
        BufferSettings buffer =
                BufferSettings.fixed(120 * PACKET, 100 * PACKET, BufferSettings.UNLIMITED);
        FabricKind.Ethernet kind = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        FabricSettings settings =
                FabricSettings.ROCE
                        .withFraming(new Framing.Flat(64, 64))
                        .withKind(kind.withBuffer(buffer));
        Fabric fabric = new Fabric(FatTree.threeTiers(half, pods).topology(), settings);
        FlowRun run =
                new FlowRun(
                        fabric,
                        flows,
                        it ->
                                it.ackRequestEvery(isEach ? 1 : 64)
                                        .acknowledgeEach(isEach)
                                        .windowPackets(1 << 20));
        long readyNs = System.nanoTime();
        if (!run.run(NEVER_PS)) {
            throw new IllegalStateException(run.left() + " flows did not end");
        }
        long endNs = System.nanoTime();
        long data = flows.stream().mapToLong(flow -> (flow.bytes() + 1) / PAYLOAD).sum();
        return new Outcome(
                (readyNs - startNs) / 1e9,
                (endNs - readyNs) / 1e9,
                Arrays.stream(run.timesPs()).boxed().toList(),
                data,
                fabric.counts().hops());
    }
}
