package dev.verbena.scenario.run;

import dev.verbena.collectives.Work;
import dev.verbena.fabric.Fabric;
import dev.verbena.job.NcclOperation;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;

/// A collective operation, one or several times, each begun at all ranks at once.
final class CollectiveJob extends RankJob {
    private final JobSpec.Collective spec;
    private final long bytes;
    private long begunPs;

    CollectiveJob(Scenario scenario, JobSpec.Collective spec, Fabric fabric) {
        super(scenario, spec, fabric);
        this.spec = spec;
        bytes = whole(spec.operation(), spec.bytes(), spec.ranks());
    }

    @Override
    NcclOperation operation() {
        return spec.operation();
    }

    @Override
    long bytes() {
        return bytes;
    }

    @Override
    int expected() {
        return spec.ranks();
    }

    @Override
    void start() {
        begunPs = fabric.nowPs();
        for (int rank = 0; rank < spec.ranks(); rank++) {
            begin(rank);
        }
    }

    @Override
    void stepOver(long endPs) {
        timesUs.add((endPs - begunPs) / PS_PER_US);
        for (int rank = 0; rank < spec.ranks(); rank++) {
            Work work = works().get(rank);
            spans.add(
                    new JobResult.Span(
                            rank, operation().toString(), us(begunPs), us(work.endedNs() * 1000)));
        }
        if (!isOver()) {
            fabric.at(fabric.nowPs() + 1, this::start);
        }
    }

    @Override
    boolean isOver() {
        return timesUs.size() == spec.times();
    }

    @Override
    double share() {
        return (double) timesUs.size() / spec.times();
    }

    @Override
    JobResult result() {
        double last = timesUs.isEmpty() ? Double.NaN : timesUs.getLast();
        double bus = bytes / last / 1e3 * spec.operation().busFactor(spec.ranks());
        return result(bus, Double.NaN);
    }

    @Override
    WorkTimes times() {
        return JobTimes.of(
                spec,
                "%s of %,d bytes on %,d ranks".formatted(operation(), bytes, spec.ranks()),
                timesUs,
                spec.times(),
                bytes);
    }
}
