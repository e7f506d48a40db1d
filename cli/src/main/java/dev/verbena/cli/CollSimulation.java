package dev.verbena.cli;

import dev.verbena.cli.CollTable.Cell;
import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.NetworkOffer;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Topology;
import dev.verbena.job.FabricCosts;
import dev.verbena.job.HostWork;
import dev.verbena.job.JobLayout;
import dev.verbena.job.NcclOperation;
import dev.verbena.job.RankRun;
import dev.verbena.job.eyes.JobTrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Measures an operation with ranks on the hosts of a simulated fabric. Time is virtual: one
/// operation is enough, after one that makes the connections.
final class CollSimulation {
    private static final long SETTLES_PS = 1_000_000_000;

    /// Operations of each size that a verdict rests on.
    private static final int TRACED = 3;

    private final NcclOperation operation;
    private final CollFlags flags;
    private final SimFlags fabricFlags;
    private final CollHosts gpuHosts;
    private final CollNetwork network;
    private final CollEyes eyes;
    private final CollLevel level;

    CollSimulation(
            NcclOperation operation,
            CollFlags flags,
            SimFlags fabricFlags,
            CollHosts gpuHosts,
            CollNetwork network,
            CollEyes eyes,
            CollLevel level) {
        this.network = network;
        this.eyes = eyes;
        this.operation = operation;
        this.flags = flags;
        this.fabricFlags = fabricFlags;
        this.gpuHosts = gpuHosts;
        this.level = level;
    }

    /// @param err where a long run says how far it is
    void run(PrintWriter out, PrintWriter err) throws IOException {
        Topology topology = gpuHosts.between(fabricFlags);
        FabricSettings settings = fabricFlags.settings(topology);
        JobLayout layout = gpuHosts.layout(topology);
        flags.check(layout.ranks());
        eyes.check(layout.ranks(), true);
        gpuHosts.choose(operation, layout, flags);
        out.printf("# %s, simulated: %s%n", SimFlags.word(fabricFlags.kind), topology);
        if (layout.ranksPerHost() > 1 || layout.copy() != null) {
            out.printf("# %s%n", layout);
        }
        if (flags.explain) {
            explain(layout, topology, settings, out);
            return;
        }
        List<String> algorithms = flags.algorithms(operation, !level.isFlow());
        if (algorithms.isEmpty()) {
            table(layout, topology, settings, out, err);
        }
        for (String algorithm : algorithms) {
            flags.algorithm = algorithm;
            out.printf("# by %s%n", algorithm);
            table(layout, topology, settings, out, err);
        }
    }

    private void explain(
            JobLayout layout, Topology between, FabricSettings settings, PrintWriter out) {
        Costs costs = layout.costs(FabricCosts.of(settings));
        NetworkCosts reduction = null;
        FabricSettings offering = network.offer(flags, settings);
        if (offering.reduction().isOffered()) {
            Fabric fabric = new Fabric(layout.topology(between, offering), offering);
            try (RankRun run = run(layout, between, fabric, null)) {
                NetworkOffer offer = run.ranks().getFirst().network();
                reduction = offer.costs();
                out.printf("# %s%n", CollNetwork.text(offer));
            }
        }
        flags.explain(operation, layout.ranks(), layout.ranksPerHost(), costs, reduction, out);
    }

    private RankRun run(
            JobLayout layout, Topology between, Fabric fabric, @Nullable HostWork work) {
        FabricSettings settings = fabric.settings();
        Costs costs = layout.costs(FabricCosts.of(settings));
        return new RankRun(
                fabric,
                layout,
                it -> fabricFlags.apply(it, fabricFlags.line(between, settings)),
                it ->
                        flags.change(it.withMemory(PhantomMemory::in), costs)
                                .withWork(work == null ? it.work() : work));
    }

    private void table(
            JobLayout layout,
            Topology between,
            FabricSettings settings,
            PrintWriter out,
            PrintWriter err)
            throws IOException {
        if (level.isFlow()) {
            Costs costs = layout.costs(FabricCosts.of(settings));
            new CollFlow(operation, flags, level, layout, between, settings, costs, out, err)
                    .table();
            return;
        }
        int ranks = layout.ranks();
        FabricSettings offering = network.offer(flags, settings);
        CollTable table = new CollTable(out, operation, flags, ranks);
        Fabric fabric = new Fabric(layout.topology(between, offering), offering);
        eyes.plant(fabric, settings.seed(), out);
        HostWork work = eyes.work(settings.seed());
        try (RankRun run = run(layout, between, fabric, work)) {
            if (offering.reduction().isOffered()) {
                NetworkOffer offer = run.ranks().getFirst().network();
                out.printf("# %s%n", CollNetwork.text(offer));
            }
            table.head();
            JobTrace trace = null;
            for (long size : flags.sizes(operation, ranks)) {
                measure(run, size);
                // What is left of making connections would be in the way.
                run.run(() -> false, fabric.nowPs() + SETTLES_PS);
                if (trace == null && eyes.isOn()) {
                    // Connections are no part of it.
                    trace = new JobTrace(run, layout, eyes.steps());
                }
                table.add(size, new Cell(mean(run, size) / 1000.0, -1), Cell.EMPTY);
            }
            table.foot();
            if (trace != null) {
                eyes.tell(trace.traces(), trace::verdict, out);
            }
        }
    }

    private double mean(RankRun run, long size) {
        int times = eyes.isOn() ? TRACED : 1;
        double sum = 0;
        for (int i = 0; i < times; i++) {
            sum += measure(run, size);
        }
        return sum / times;
    }

    private long measure(RankRun run, long size) {
        List<RankMemory> memories = new ArrayList<>();
        try {
            return run.measure(rank -> begin(rank, size, memories));
        } finally {
            memories.forEach(RankMemory::close);
        }
    }

    private Work begin(Communicator rank, long size, List<RankMemory> memories) {
        RankMemory from = rank.allocate(operation.inputBytes(size, rank.size()));
        RankMemory to = rank.allocate(operation.outputBytes(size, rank.size()));
        memories.add(from);
        memories.add(to);
        return operation.begin(
                rank, from.span(), to.span(), flags.type(), flags.reduction, flags.root);
    }
}
