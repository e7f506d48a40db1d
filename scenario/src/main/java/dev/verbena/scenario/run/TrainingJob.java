package dev.verbena.scenario.run;

import dev.verbena.collectives.Work;
import dev.verbena.fabric.Fabric;
import dev.verbena.job.HostWork;
import dev.verbena.job.NcclOperation;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/// A training loop. In each step every rank calculates forward, then backward; after each part of
/// the backward pass the gradients of a bucket are ready and are summed, while the pass goes on. A
/// step is over when all sums are there everywhere.
final class TrainingJob extends RankJob {
    private final JobSpec.Training spec;
    private final long bytes;
    private final List<Double> exposed = new ArrayList<>();
    private long begunPs;

    TrainingJob(Scenario scenario, JobSpec.Training spec, Fabric fabric) {
        super(scenario, spec, fabric);
        this.spec = spec;
        bytes = whole(NcclOperation.ALL_REDUCE, spec.bucketBytes(), spec.ranks());
    }

    @Override
    NcclOperation operation() {
        return NcclOperation.ALL_REDUCE;
    }

    @Override
    long bytes() {
        return bytes;
    }

    @Override
    int expected() {
        return spec.ranks() * spec.buckets();
    }

    @Override
    void start() {
        begunPs = fabric.nowPs();
        for (int rank = 0; rank < spec.ranks(); rank++) {
            int own = rank;
            for (int bucket = 1; bucket <= spec.buckets(); bucket++) {
                fabric.at(begunPs + readyPs(own, bucket), () -> begin(own));
            }
        }
    }

    /// From the start of a step until so many buckets of a rank are ready.
    private long readyPs(int rank, int buckets) {
        double ns = spec.forwardNs() + (double) spec.backwardNs() * buckets / spec.buckets();
        return Math.max(1, Math.round(1000 * ns * factor(rank)));
    }

    private double factor(int rank) {
        return scenario.slow().stream()
                .filter(it -> it.rank() == rank)
                .mapToDouble(HostWork.SlowRank::factor)
                .reduce(1, (left, right) -> left * right);
    }

    @Override
    void stepOver(long endPs) {
        timesUs.add((endPs - begunPs) / PS_PER_US);
        long[] endsPs = new long[spec.ranks()];
        for (int i = 0; i < works().size(); i++) {
            Work work = works().get(i);
            int rank = by().get(i);
            long untilPs = work.endedNs() * 1000;
            spans.add(
                    new JobResult.Span(
                            rank, "all_reduce", us(untilPs - work.tookNs() * 1000), us(untilPs)));
            endsPs[rank] = Math.max(endsPs[rank], untilPs);
        }
        double waitedPs = 0;
        for (int rank = 0; rank < spec.ranks(); rank++) {
            long forwardPs = Math.round(1000 * spec.forwardNs() * factor(rank));
            long readyPs = begunPs + readyPs(rank, spec.buckets());
            spans.add(new JobResult.Span(rank, "forward", us(begunPs), us(begunPs + forwardPs)));
            spans.add(new JobResult.Span(rank, "backward", us(begunPs + forwardPs), us(readyPs)));
            waitedPs += Math.max(0, endPs - readyPs);
        }
        exposed.add(100 * waitedPs / spec.ranks() / (endPs - begunPs));
        if (!isOver()) {
            fabric.at(fabric.nowPs() + 1, this::start);
        }
    }

    @Override
    boolean isOver() {
        return timesUs.size() == spec.steps();
    }

    @Override
    double share() {
        return (double) timesUs.size() / spec.steps();
    }

    @Override
    JobResult result() {
        double mean = exposed.stream().mapToDouble(it -> it).average().orElse(Double.NaN);
        return result(Double.NaN, mean);
    }

    @Override
    WorkTimes times() {
        return JobTimes.of(
                spec,
                "training, %d buckets of %,d bytes on %,d ranks"
                        .formatted(spec.buckets(), bytes, spec.ranks()),
                timesUs,
                spec.steps(),
                bytes * spec.buckets());
    }
}
