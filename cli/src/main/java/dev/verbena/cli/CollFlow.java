package dev.verbena.cli;

import dev.verbena.cli.CollTable.Cell;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Topology;
import dev.verbena.job.JobLayout;
import dev.verbena.job.NcclOperation;
import dev.verbena.job.flow.FlowCall;
import dev.verbena.job.flow.FlowRun;
import dev.verbena.job.flow.QueuePairs;
import dev.verbena.verbs.LinkLayer;
import java.io.PrintWriter;
import java.util.Locale;

/// Measures an operation on a simulated fabric as flows.
final class CollFlow {
    /// Up to these such algorithms were within 5 % of packets on InfiniBand.
    private static final int CHECKED_RANKS = 16;

    private static final long CHECKED_BYTES = 1 << 12;
    private static final long TELL_NS = 5_000_000_000L;

    private final NcclOperation operation;
    private final CollFlags flags;
    private final CollLevel level;
    private final JobLayout layout;
    private final PrintWriter out;
    private final PrintWriter err;
    private final CommunicatorSettings settings;
    private final Topology topology;
    private final FabricSettings fabric;

    /// @param between the network between hosts
    CollFlow(
            NcclOperation operation,
            CollFlags flags,
            CollLevel level,
            JobLayout layout,
            Topology between,
            FabricSettings fabric,
            Costs costs,
            PrintWriter out,
            PrintWriter err) {
        this.operation = operation;
        this.flags = flags;
        this.level = level;
        this.layout = layout;
        this.out = out;
        this.err = err;
        this.fabric = fabric;
        topology = layout.topology(between, fabric);
        settings = flags.change(CommunicatorSettings.of(() -> 0), costs);
    }

    void table() {
        out.printf("# as flows: no queues, no losses, no congestion control%n");
        if (run(settings).isHeldByCredits()) {
            out.printf(
                    "# outside what was checked: credits hold links back, by how much depends on"
                            + " packets; use shorter cables, a larger --buffer, or --level"
                            + " packet%n");
        }
        CollTable table = new CollTable(out, operation, flags, layout.ranks());
        table.head();
        for (long size : flags.sizes(operation, layout.ranks())) {
            FlowCall wanted = call(size);
            FlowCall call = wanted.within(level.messagesMax(), layout, settings);
            if (call.pieceBytes() != wanted.pieceBytes()) {
                out.printf(
                        Locale.ROOT,
                        "# messages of %,d bytes instead of %,d, so that there are fewer: up to 6"
                                + " %% off (--piece decides)%n",
                        call.pieceBytes(),
                        wanted.pieceBytes());
            }
            if (fillsBuffers(call)) {
                out.printf(
                        "# outside what was checked: many senders fill the buffers of an InfiniBand"
                                + " switch; packets may take a fifth longer%n");
            }
            table.add(size, new Cell(measure(call) / 1000.0, -1), Cell.EMPTY);
        }
        table.foot();
    }

    /// Where flows of several ranks meet at one, see docs/flow-level.md. In an all-to-all of 2, 4,
    /// 8, … ranks they meet in pairs.
    private boolean fillsBuffers(FlowCall call) {
        Algorithm algorithm = call.algorithm(layout, settings);
        boolean inPairs =
                call.operation() == Collective.ALL_TO_ALL && Integer.bitCount(layout.ranks()) == 1;
        return fabric.layer() == LinkLayer.INFINIBAND
                && layout.ranks() > CHECKED_RANKS
                && call.count() * call.elementBytes() > CHECKED_BYTES
                && ((algorithm == Algorithm.PAIRWISE && !inPairs)
                        || algorithm == Algorithm.TREE
                        || algorithm == Algorithm.DOUBLE_TREE);
    }

    private FlowRun run(CommunicatorSettings own) {
        return new FlowRun(topology, fabric, layout, own, QueuePairs.of(fabric.seed()));
    }

    private long measure(FlowCall call) {
        FlowRun run = run(call.ahead(settings));
        long[] toldNs = {System.nanoTime()};
        run.onProgress(
                ns -> {
                    if (System.nanoTime() - toldNs[0] > TELL_NS) {
                        toldNs[0] = System.nanoTime();
                        err.printf(
                                Locale.ROOT,
                                "verbena coll: %,d us simulated, %,d messages%n",
                                ns / 1000,
                                run.messages());
                        err.flush();
                    }
                });
        return run.measure(call);
    }

    /// As a communicator calls it: only reductions have elements of a type.
    private FlowCall call(long size) {
        int element = operation.isReduction() ? flags.type().bytes() : 1;
        long count = size / element / (operation.isSplit() ? layout.ranks() : 1);
        Collective collective = operation.collective();
        return new FlowCall(
                collective, count, element, operation.hasRoot() ? flags.root : 0, flags.piece);
    }
}
