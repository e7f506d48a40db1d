package dev.verbena.scenario.run;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.CongestionCounts;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricCounts;
import dev.verbena.fabric.FailedFlow;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.Workload;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One run of a scenario, packet by packet.
///
/// The connections of a job are made first. Then time begins: faults, flows and the job count from
/// there, and so do counters.
final class PacketRun implements AutoCloseable {
    private static final int NAMED = 8;

    private final Scenario scenario;
    private final String what;
    private final Watcher watcher;
    private final Fabric fabric;
    private final @Nullable RankJob job;
    private final @Nullable MixRun mix;
    private final long originPs;
    private final FabricCounts before;
    private final CongestionCounts congestionBefore;
    private final Map<String, Long> devicesBefore;
    private final Moments moments;
    private boolean isStopped;

    /// @param what words for the watcher
    PacketRun(Scenario scenario, String what, Watcher watcher) {
        this.scenario = scenario;
        this.what = what;
        this.watcher = watcher;
        fabric = new Fabric(scenario.network().topology(), scenario.network().settings());
        job = scenario.job().map(this::job).orElse(null);
        if (job != null) {
            job.prepare();
        }
        originPs = fabric.nowPs();
        before = fabric.counts();
        congestionBefore = fabric.congestion();
        devicesBefore = fabric.deviceCounters();
        for (Scenario.Fault fault : scenario.faults()) {
            fault.cables().forEach(it -> fabric.fault(later(it)));
        }
        mix = scenario.flows().isEmpty() ? null : mix();
        // A verdict about a job reads the watermarks of queues itself.
        boolean takesPeaks = job == null || !scenario.recording().hasSteps();
        moments = new Moments(fabric, scenario.recording().samples(), takesPeaks);
    }

    private RankJob job(JobSpec spec) {
        return switch (spec) {
            case JobSpec.Collective one -> new CollectiveJob(scenario, one, fabric);
            case JobSpec.Training one -> new TrainingJob(scenario, one, fabric);
        };
    }

    private MixRun mix() {
        List<Workload> moved =
                scenario.flows().stream()
                        .map(
                                it ->
                                        new Workload(
                                                it.name(),
                                                it.flows().stream().map(this::later).toList(),
                                                it.protocol()))
                        .toList();
        return new MixRun(
                fabric,
                moved,
                MixRun.ALL,
                scenario.network()::flowOptions,
                scenario.network()::connect);
    }

    private Flow later(Flow flow) {
        long untilPs = flow.untilPs() == Flow.ONCE ? Flow.ONCE : flow.untilPs() + originPs;
        return flow.repeatedUntil(Flow.ONCE)
                .startingAt(flow.startPs() + originPs)
                .repeatedUntil(untilPs);
    }

    private CableFault later(CableFault fault) {
        long untilPs =
                fault.untilPs() == CableFault.FOR_EVER
                        ? CableFault.FOR_EVER
                        : fault.untilPs() + originPs;
        return fault.during(fault.fromPs() + originPs, untilPs);
    }

    Outcome run() {
        long limitPs = originPs + scenario.limitPs();
        if (job != null) {
            long startPs = originPs + scenario.job().orElseThrow().startPs();
            fabric.at(Math.max(startPs, originPs + 1), job::start);
        }
        moments.look(fabric, delivered(), false);
        long untilPs = originPs;
        while (!isOver() && untilPs < limitPs && !isStopped) {
            untilPs = Math.min(limitPs, Math.max(untilPs, fabric.nowPs()) + moments.stepPs());
            long eventsBefore = fabric.events();
            advance(untilPs);
            moments.look(fabric, delivered(), false);
            watcher.look(what, fabric, false);
            isStopped = !watcher.goOn(what, share(limitPs));
            if (job == null && fabric.isIdle() && fabric.events() == eventsBefore) {
                break; // nothing is left to happen
            }
        }
        moments.look(fabric, delivered(), true);
        watcher.look(what, fabric, true);
        return outcome();
    }

    private void advance(long untilPs) {
        RankJob ranks = job;
        MixRun flows = mix;
        if (ranks != null) {
            ranks.run.run(
                    () -> {
                        if (flows != null) {
                            flows.flows().serve();
                        }
                        return ranks.look() && (flows == null || flows.pending() == 0);
                    },
                    untilPs);
        } else if (flows != null) {
            flows.run(untilPs);
            boolean isDone = flows.deadlock().isPresent() || flows.pending() == 0;
            if (!isDone && !fabric.isIdle()) {
                fabric.run(untilPs); // no event is left before: only the clock moves
            }
        }
    }

    private boolean isOver() {
        boolean isJobOver = job == null || job.isOver() || !job.failure().isEmpty();
        return isJobOver && (mix == null || mix.pending() == 0 || mix.deadlock().isPresent());
    }

    private double share(long limitPs) {
        double byTime = (double) (fabric.nowPs() - originPs) / (limitPs - originPs);
        double ofJob = job == null ? 1 : job.share();
        return Math.max(byTime, Math.min(ofJob, mix == null ? 1 : shareOfFlows(mix)));
    }

    private double shareOfFlows(MixRun flows) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < flows.workloads().size(); i++) {
            long untilPs = flows.workloads().get(i).flows().getFirst().untilPs();
            double share =
                    untilPs == Flow.ONCE
                            ? (double) flows.deliveredBytes(i) / Math.max(1, flows.askedBytes(i))
                            : (double) (fabric.nowPs() - originPs) / (untilPs - originPs);
            sum += Math.clamp(share, 0, 1);
            count++;
        }
        return sum / Math.max(1, count);
    }

    private long[] delivered() {
        int count = scenario.flows().size();
        long[] bytes = new long[count + (job == null ? 0 : 1)];
        for (int i = 0; i < count && mix != null; i++) {
            bytes[i] = mix.deliveredBytes(i);
        }
        if (job != null) {
            bytes[count] = job.times().bytes();
        }
        return bytes;
    }

    private Outcome outcome() {
        List<WorkTimes> works = new ArrayList<>();
        for (int i = 0; mix != null && i < scenario.flows().size(); i++) {
            works.add(times(mix, i));
        }
        if (job != null) {
            works.add(job.times());
        }
        boolean isDone = (job == null || job.isOver()) && (mix == null || mix.left() == 0);
        return new Outcome(
                scenario,
                isStopped,
                isDone,
                spanUs(works),
                works,
                Optional.ofNullable(job).map(RankJob::result),
                Optional.of(moments),
                fabric.ports(),
                counts(fabric.counts()),
                congestion(fabric.congestion()),
                devices(),
                mix == null ? Optional.empty() : mix.deadlock(),
                failures(),
                originPs);
    }

    private double spanUs(List<WorkTimes> works) {
        double jobUs = job == null ? 0 : works.getLast().spanUs();
        double flowsUs = mix == null ? 0 : mix.spanPs() / RankJob.PS_PER_US;
        return Math.max(jobUs, flowsUs);
    }

    private WorkTimes times(MixRun flows, int workload) {
        Workload of = flows.workloads().get(workload);
        List<Double> sorted =
                Arrays.stream(flows.timesPs(workload))
                        .filter(it -> it != FlowRun.NOT_YET)
                        .mapToDouble(it -> it / RankJob.PS_PER_US)
                        .sorted()
                        .boxed()
                        .toList();
        int failed =
                (int)
                        flows.flows().failed().stream()
                                .filter(it -> flows.workload(it.flow()) == workload)
                                .count();
        int count = of.flows().size();
        String kind =
                "%,d %s%s of %,d bytes"
                        .formatted(
                                count,
                                of.protocol() == Workload.Protocol.TCP ? "TCP flow" : "flow",
                                count == 1 ? "" : "s",
                                of.flows().getFirst().bytes());
        return new WorkTimes(
                of.name(),
                kind,
                sorted,
                count,
                failed,
                flows.deliveredBytes(workload),
                flows.spanPs(workload) / RankJob.PS_PER_US);
    }

    private List<String> failures() {
        List<String> all = new ArrayList<>();
        if (job != null && !job.failure().isEmpty()) {
            all.add(job.failure());
        }
        for (FailedFlow each : mix == null ? List.<FailedFlow>of() : mix.flows().failed()) {
            if (all.size() < NAMED && mix != null) {
                Flow flow = mix.flows().flows().get(each.flow());
                all.add(
                        "%s: the queue pair of host %d to host %d gave up after %d retries"
                                .formatted(
                                        mix.workloads().get(mix.workload(each.flow())).name(),
                                        flow.source(),
                                        flow.destination(),
                                        FlowRun.RETRIES));
            }
        }
        return all;
    }

    private FabricCounts counts(FabricCounts now) {
        return new FabricCounts(
                now.events() - before.events(),
                now.injected() - before.injected(),
                now.hops() - before.hops(),
                now.drops() - before.drops(),
                now.lost() - before.lost(),
                now.pauses() - before.pauses(),
                now.credits() - before.credits(),
                now.highestBuffer());
    }

    private CongestionCounts congestion(CongestionCounts now) {
        return new CongestionCounts(
                now.marked() - congestionBefore.marked(),
                now.noticesSent() - congestionBefore.noticesSent(),
                now.noticesReceived() - congestionBefore.noticesReceived());
    }

    private Map<String, Long> devices() {
        Map<String, Long> since = new HashMap<>(fabric.deviceCounters());
        devicesBefore.forEach((name, value) -> since.merge(name, -value, Long::sum));
        return since;
    }

    @Override
    public void close() {
        if (job != null) {
            job.close();
        }
    }
}
