package dev.verbena.scenario.run;

import dev.verbena.collectives.Choice;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Topology;
import dev.verbena.job.FabricCosts;
import dev.verbena.job.HostWork;
import dev.verbena.job.JobLayout;
import dev.verbena.job.NcclOperation;
import dev.verbena.job.flow.FlowCall;
import dev.verbena.job.flow.FlowRun;
import dev.verbena.job.flow.QueuePairs;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One run of a job as flows: message by message, without queues, losses and counters.
final class FlowLevelRun {
    private static final long MESSAGES_MAX = 1 << 20;

    private final Scenario scenario;
    private final JobSpec spec;
    private final JobLayout layout;
    private final Topology topology;
    private final FabricSettings settings;
    private final CommunicatorSettings communicators;
    private final String what;
    private final Watcher watcher;
    private final List<Double> timesUs = new ArrayList<>();
    private final List<JobResult.Span> spans = new ArrayList<>();
    private double exposedPercent = Double.NaN;
    private boolean isStopped;

    FlowLevelRun(Scenario scenario, String what, Watcher watcher) {
        this.scenario = scenario;
        this.what = what;
        this.watcher = watcher;
        spec = scenario.job().orElseThrow();
        layout = RankJob.layout(spec);
        topology = scenario.network().topology();
        settings = scenario.network().settings();
        Choice choice = Choice.of(layout.costs(FabricCosts.of(settings)));
        Algorithm wanted = spec.algorithm();
        communicators =
                CommunicatorSettings.of(() -> 0)
                        .withChoice(wanted == null ? choice : choice.prefer(wanted))
                        .withWork(RankJob.work(scenario));
    }

    Outcome run() {
        WorkTimes times =
                switch (spec) {
                    case JobSpec.Collective one -> collective(one);
                    case JobSpec.Training one -> training(one);
                };
        double bus =
                spec instanceof JobSpec.Collective one && !timesUs.isEmpty()
                        ? bytes(one.operation(), one.bytes())
                                / timesUs.getLast()
                                / 1e3
                                * one.operation().busFactor(one.ranks())
                        : Double.NaN;
        String algorithm = call(operation(), bytesOf()).algorithm(layout, communicators).toString();
        JobResult job = new JobResult(algorithm, bus, exposedPercent, spans, List.of(), null, "");
        return new Outcome(
                scenario,
                isStopped,
                times.timesUs().size() == times.wanted(),
                times.spanUs(),
                List.of(times),
                Optional.of(job),
                Optional.empty(),
                List.of(),
                Outcome.NO_COUNTS,
                Outcome.NO_CONGESTION,
                Map.of(),
                Optional.empty(),
                List.of(),
                0);
    }

    private NcclOperation operation() {
        return spec instanceof JobSpec.Collective one ? one.operation() : NcclOperation.ALL_REDUCE;
    }

    private long bytesOf() {
        return switch (spec) {
            case JobSpec.Collective one -> one.bytes();
            case JobSpec.Training one -> one.bucketBytes();
        };
    }

    private long bytes(NcclOperation operation, long bytes) {
        return RankJob.whole(operation, bytes, spec.ranks());
    }

    private FlowCall call(NcclOperation operation, long size) {
        long bytes = bytes(operation, size);
        return RankJob.call(operation, bytes, spec.ranks(), communicators)
                .within(MESSAGES_MAX, layout, communicators);
    }

    /// Microseconds of one operation.
    private double measure(NcclOperation operation, long size) {
        FlowCall call = call(operation, size);
        FlowRun run =
                new FlowRun(
                        topology,
                        settings,
                        layout,
                        call.ahead(communicators),
                        QueuePairs.of(settings.seed()));
        run.onProgress(ns -> watcher.goOn(what, 0));
        return run.measure(call) / 1e3;
    }

    private WorkTimes collective(JobSpec.Collective one) {
        double atUs = 0;
        for (int i = 0; i < one.times() && !isStopped; i++) {
            double us = measure(one.operation(), one.bytes());
            timesUs.add(us);
            spans.add(new JobResult.Span(0, one.operation().toString(), atUs, atUs + us));
            atUs += us;
            isStopped = !watcher.goOn(what, (i + 1.0) / one.times());
        }
        String kind =
                "%s of %,d bytes on %,d ranks"
                        .formatted(
                                one.operation(), bytes(one.operation(), one.bytes()), one.ranks());
        return JobTimes.of(one, kind, timesUs, one.times(), bytes(one.operation(), one.bytes()));
    }

    /// The sums of a step follow each other on the network, each not before its bucket is ready.
    private WorkTimes training(JobSpec.Training one) {
        double sumUs = measure(NcclOperation.ALL_REDUCE, one.bucketBytes());
        double slowest =
                scenario.slow().stream().mapToDouble(HostWork.SlowRank::factor).max().orElse(1);
        double forwardUs = one.forwardNs() / 1e3 * slowest;
        double backwardUs = one.backwardNs() / 1e3 * slowest;
        double atUs = 0;
        for (int step = 0; step < one.steps() && !isStopped; step++) {
            double freeUs = 0;
            for (int bucket = 1; bucket <= one.buckets(); bucket++) {
                double readyUs = forwardUs + backwardUs * bucket / one.buckets();
                double fromUs = Math.max(freeUs, readyUs);
                freeUs = fromUs + sumUs;
                spans.add(new JobResult.Span(0, "all_reduce", atUs + fromUs, atUs + freeUs));
            }
            spans.add(new JobResult.Span(0, "forward", atUs, atUs + forwardUs));
            double readyUs = forwardUs + backwardUs;
            spans.add(new JobResult.Span(0, "backward", atUs + forwardUs, atUs + readyUs));
            timesUs.add(freeUs);
            exposedPercent = 100 * (freeUs - readyUs) / freeUs;
            atUs += freeUs;
            isStopped = !watcher.goOn(what, (step + 1.0) / one.steps());
        }
        long bytes = bytes(NcclOperation.ALL_REDUCE, one.bucketBytes());
        String kind =
                "training, %d buckets of %,d bytes on %,d ranks"
                        .formatted(one.buckets(), bytes, one.ranks());
        return JobTimes.of(one, kind, timesUs, one.steps(), bytes * one.buckets());
    }
}
