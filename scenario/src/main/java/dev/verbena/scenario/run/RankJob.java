package dev.verbena.scenario.run;

import dev.verbena.collectives.Choice;
import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.link.Failure;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.job.FabricCosts;
import dev.verbena.job.HostWork;
import dev.verbena.job.JobLayout;
import dev.verbena.job.NcclOperation;
import dev.verbena.job.RankRun;
import dev.verbena.job.eyes.JobTrace;
import dev.verbena.job.flow.FlowCall;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ranks of a job on a fabric, and its operations one after the other.
abstract class RankJob implements AutoCloseable {
    private static final long SETTLES_PS = 1_000_000_000;
    private static final int STEPS_MAX = 1 << 13;
    static final double PS_PER_US = 1e6;

    final Fabric fabric;
    final RankRun run;
    final Scenario scenario;
    final List<JobResult.Span> spans = new ArrayList<>();
    final List<Double> timesUs = new ArrayList<>();
    long originPs;

    private final JobLayout layout;
    private final CommunicatorSettings settings;
    private final List<RankMemory> memories = new ArrayList<>();
    private final List<Work> works = new ArrayList<>();

    /// By operation, the rank that began it.
    private final List<Integer> by = new ArrayList<>();

    private int over;
    private String failure = "";
    private @Nullable JobTrace trace;
    private @Nullable Algorithm algorithm;

    RankJob(Scenario scenario, JobSpec spec, Fabric fabric) {
        this.scenario = scenario;
        this.fabric = fabric;
        layout = layout(spec);
        settings = settings(spec, CommunicatorSettings.of(() -> 0));
        run = new RankRun(fabric, layout, scenario.network()::options, it -> settings(spec, it));
    }

    static JobLayout layout(JobSpec spec) {
        return new JobLayout(spec.ranks(), 1, 1, null, null);
    }

    private CommunicatorSettings settings(JobSpec spec, CommunicatorSettings usual) {
        Costs costs = layout.costs(FabricCosts.of(fabric.settings()));
        Choice choice = Choice.of(costs);
        Algorithm wanted = spec.algorithm();
        return usual.withMemory(PhantomMemory::in)
                .withChoice(wanted == null ? choice : choice.prefer(wanted))
                .withWork(work(scenario));
    }

    /// What hosts need for themselves, in every run alike.
    static HostWork work(Scenario scenario) {
        return HostWork.USUAL.withSeed(scenario.seed()).withSlow(scenario.slow());
    }

    /// The operation as all ranks call it.
    static FlowCall call(
            NcclOperation operation, long bytes, int ranks, CommunicatorSettings settings) {
        int element = operation.isReduction() ? ElementType.FLOAT32.bytes() : 1;
        long count = bytes / element / (operation.isSplit() ? ranks : 1);
        return new FlowCall(operation.collective(), count, element, 0, settings.pieceBytes());
    }

    /// Makes the connections, which are no part of the run.
    void prepare() {
        FlowCall call = call(operation(), bytes(), layout.ranks(), settings);
        run.connect(rank -> call.plan(rank, layout, settings));
        run.run(() -> false, fabric.nowPs() + SETTLES_PS);
        originPs = fabric.nowPs();
        if (scenario.recording().hasSteps()) {
            trace = new JobTrace(run, layout, STEPS_MAX);
        }
    }

    abstract NcclOperation operation();

    abstract long bytes();

    /// Begins the first step.
    abstract void start();

    /// The operations that were begun are over.
    abstract void stepOver(long endPs);

    abstract boolean isOver();

    abstract double share();

    abstract JobResult result();

    abstract WorkTimes times();

    /// Looks after each event whether an operation is over; returns whether the job is.
    boolean look() {
        if (failure.isEmpty() && over < expected()) {
            while (over < works.size() && works.get(over).isOver()) {
                if (!works.get(over).isDone()) {
                    fail(by.get(over));
                    return true;
                }
                over++;
            }
            if (over == expected()) {
                long endNs = works.stream().mapToLong(Work::endedNs).max().orElse(0);
                over = 0;
                stepOver(endNs * 1000);
                works.clear();
                by.clear();
                free();
            }
        }
        return isOver() || !failure.isEmpty();
    }

    /// Operations of all ranks in a step.
    abstract int expected();

    private void fail(int rank) {
        Failure why = run.ranks().get(rank).failure();
        failure = "rank %d: %s".formatted(rank, why == null ? "it has failed" : why.reason());
    }

    String failure() {
        return failure;
    }

    List<Work> works() {
        return works;
    }

    List<Integer> by() {
        return by;
    }

    void begin(int rank) {
        Work work = begin(run.ranks().get(rank), operation(), bytes());
        algorithm = work.algorithm().orElse(null);
        works.add(work);
        by.add(rank);
        run.tell(rank);
    }

    private Work begin(Communicator rank, NcclOperation operation, long bytes) {
        RankMemory from = rank.allocate(operation.inputBytes(bytes, rank.size()));
        RankMemory to = rank.allocate(operation.outputBytes(bytes, rank.size()));
        memories.add(from);
        memories.add(to);
        return operation.begin(rank, from.span(), to.span(), ElementType.FLOAT32, Reduction.SUM, 0);
    }

    private void free() {
        memories.forEach(RankMemory::close);
        memories.clear();
    }

    /// Bytes that can be split into what the operation needs.
    static long whole(NcclOperation operation, long bytes, int ranks) {
        long unit = ElementType.FLOAT32.bytes() * (operation.isSplit() ? (long) ranks : 1L);
        return Math.max(unit, bytes / unit * unit);
    }

    JobResult result(double busBandwidth, double exposedPercent) {
        JobTrace kept = trace;
        return new JobResult(
                algorithm == null ? "" : algorithm.toString(),
                busBandwidth,
                exposedPercent,
                spans,
                kept == null ? List.of() : kept.traces(),
                kept == null ? null : kept.verdict(),
                failure);
    }

    double us(long ps) {
        return (ps - originPs) / PS_PER_US;
    }

    @Override
    public void close() {
        free();
        run.close();
    }
}
