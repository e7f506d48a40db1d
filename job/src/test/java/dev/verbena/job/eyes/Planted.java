package dev.verbena.job.eyes;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.PortCounts;
import dev.verbena.fabric.Rate;
import dev.verbena.job.HostWork;
import dev.verbena.job.JobLayout;
import dev.verbena.job.RankRun;
import dev.verbena.testkit.Choices;
import java.util.ArrayList;
import java.util.List;

/// A job of 64 ranks behind eight leaves and four spines, in which the seed has planted one fault.
/// It chooses the network, the operation, the culprit, and how bad it is.
final class Planted {
    static final int RANKS = 64;

    /// What is planted.
    enum Fault {
        NONE(Verdict.Kind.NONE),
        SLOW_RANK(Verdict.Kind.SLOW_RANK),
        SLOW_LINK(Verdict.Kind.SLOW_LINK),
        LOSSY_CABLE(Verdict.Kind.LOSSY_LINK);

        final Verdict.Kind kind;

        Fault(Verdict.Kind kind) {
            this.kind = kind;
        }
    }

    private static final long BYTES = 1 << 20;
    private static final int TRACED = 3;

    /// A cable that carries less of an operation has nothing to show; acknowledgements alone are
    /// less.
    private static final long BYTES_LEAST = 50 * 1024;

    private final Fault fault;
    private final Choices choices;
    private final boolean isInfiniBand;
    private final boolean isAllToAll;
    private final Algorithm algorithm;
    private final HostWork work;
    private String culprit = "";

    Planted(Fault fault, long seed) {
        this.fault = fault;
        choices = Choices.from(seed);
        isInfiniBand = choices.chance(0.5);
        isAllToAll = choices.chance(0.34);
        algorithm = choices.pick(Algorithm.RING, Algorithm.HALVING_DOUBLING);
        HostWork usual = HostWork.USUAL.withSeed(seed);
        work = fault == Fault.SLOW_RANK ? usual.withSlow(List.of(slowRank())) : usual;
    }

    private HostWork.SlowRank slowRank() {
        int rank = choices.between(0, RANKS - 1);
        culprit = "rank " + rank;
        return new HostWork.SlowRank(rank, choices.between(2, 6), 0);
    }

    /// The name that the verdict must give; empty where nothing is wrong.
    String culprit() {
        return culprit;
    }

    Verdict run() {
        FabricSettings settings =
                (isInfiniBand ? FabricSettings.INFINIBAND : FabricSettings.ROCE)
                        .withSeed(choices.bits(30))
                        .withCable(Cable.ofMetres(Rate.gbits(400), 20));
        Fabric fabric = new Fabric(FatTree.ofRadix(RANKS, 2, 16, 1).topology(), settings);
        JobLayout layout = JobLayout.flat(RANKS);
        try (RankRun run =
                new RankRun(
                        fabric,
                        layout,
                        _ -> {},
                        it ->
                                it.withMemory(PhantomMemory::in)
                                        .withWork(work)
                                        .withChoice(it.choice().prefer(algorithm)))) {
            run.measure(this::begin);
            plantCable(fabric);
            JobTrace trace = new JobTrace(run, layout, StepTrace.USUAL_STEPS);
            for (int i = 0; i < TRACED; i++) {
                run.measure(this::begin);
            }
            return trace.verdict();
        }
    }

    private Work begin(Communicator rank) {
        RankMemory memory = rank.allocate(2 * BYTES);
        return isAllToAll
                ? rank.allToAll(memory.span(0, BYTES), memory.span(BYTES, BYTES))
                : rank.allReduce(
                        memory.span(0, BYTES),
                        memory.span(BYTES, BYTES),
                        ElementType.FLOAT32,
                        Reduction.SUM);
    }

    /// One of the cables that carry the operation.
    private void plantCable(Fabric fabric) {
        if (fault != Fault.SLOW_LINK && fault != Fault.LOSSY_CABLE) {
            return;
        }
        List<PortCounts> ports = fabric.ports();
        List<Integer> used = new ArrayList<>();
        for (int cable = 0; cable < fabric.topology().cables(); cable++) {
            if (sentBytes(ports.get(2 * cable)) + sentBytes(ports.get(2 * cable + 1))
                    >= BYTES_LEAST) {
                used.add(cable);
            }
        }
        int cable = used.get(choices.between(0, used.size() - 1));
        culprit = Ways.cable(ports, 2 * cable);
        CableFault planted =
                fault == Fault.SLOW_LINK
                        ? CableFault.slow(cable, choices.pick(0.1, 0.25))
                        : CableFault.loss(cable, choices.pick(0.003, 0.01, 0.03));
        fabric.fault(planted.during(fabric.nowPs() + 1, CableFault.FOR_EVER));
    }

    private static long sentBytes(PortCounts port) {
        return 4 * port.counts().getOrDefault("PortXmitData", 0L)
                + port.counts().getOrDefault("tx_prio0_bytes", 0L);
    }

    @Override
    public String toString() {
        return "%s on %s, %s"
                .formatted(
                        isAllToAll ? "all-to-all" : "all-reduce by " + algorithm,
                        isInfiniBand ? "InfiniBand" : "RoCE",
                        culprit.isEmpty() ? "nothing planted" : fault + " " + culprit);
    }
}
