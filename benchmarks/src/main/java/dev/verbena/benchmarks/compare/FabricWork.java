package dev.verbena.benchmarks.compare;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Patterns;

/// Simulates flows without congestion control or faults; an operation is a packet over one link.
final class FabricWork {
    private static final long BYTES = 1 << 18;
    private static final int WINDOW_PACKETS = 1 << 20;
    private static final int HALF = 4;
    private static final int PODS = 8;

    private FabricWork() {}

    /// Runs once, and returns how many packets went over a link.
    static long run(Row.Operation operation) {
        FabricSettings settings =
                operation == Row.Operation.INFINIBAND
                        ? FabricSettings.INFINIBAND
                        : FabricSettings.ROCE;
        Fabric fabric = new Fabric(FatTree.threeTiers(HALF, PODS).topology(), settings);
        int hosts = fabric.topology().hosts();
        FlowRun run =
                new FlowRun(
                        fabric,
                        operation == Row.Operation.INCAST
                                ? Patterns.incast(hosts, hosts - 1, BYTES)
                                : Patterns.permutation(hosts, BYTES, 1),
                        it -> it.ackRequestEvery(64).windowPackets(WINDOW_PACKETS));
        if (!run.run(Long.MAX_VALUE)) {
            throw new IllegalStateException(run.left() + " flows did not end");
        }
        return fabric.counts().hops();
    }
}
