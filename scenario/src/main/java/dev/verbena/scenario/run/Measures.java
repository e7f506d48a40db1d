package dev.verbena.scenario.run;

import dev.verbena.scenario.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The values of a run's metrics.
public final class Measures {
    private final Outcome outcome;
    private final Optional<Outcome> baseline;
    private final Ports ports;

    public Measures(Outcome outcome, Optional<Outcome> baseline) {
        this.outcome = outcome;
        this.baseline = baseline;
        ports = new Ports(outcome);
    }

    /// The ports of the run.
    public Ports ports() {
        return ports;
    }

    /// The value of a metric; NaN where it is not known.
    ///
    /// @param workload its name, or empty for all
    public double of(String workload, Metric metric) {
        return switch (metric.of()) {
            case WORK -> work(merged(outcome, workload), workload, metric);
            case JOB -> job(metric);
            case ALL -> all(metric);
        };
    }

    /// A value with its unit.
    public static String text(Metric metric, double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        String unit = metric.unit() == Metric.Unit.BYTES ? "KiB" : metric.unit().text();
        String number =
                switch (metric.unit()) {
                    case COUNT -> String.format(Locale.ROOT, "%,.0f", value);
                    case BYTES -> String.format(Locale.ROOT, "%,.1f", value / 1024);
                    default -> String.format(Locale.ROOT, "%,.2f", value);
                };
        return number + (unit.isEmpty() || unit.equals("x") ? unit : " " + unit);
    }

    /// One workload, or all of them as one.
    static WorkTimes merged(Outcome of, String workload) {
        List<WorkTimes> all =
                of.works().stream()
                        .filter(it -> workload.isEmpty() || it.name().equals(workload))
                        .toList();
        if (all.size() == 1) {
            return all.getFirst();
        }
        List<Double> times = all.stream().flatMap(it -> it.timesUs().stream()).sorted().toList();
        return new WorkTimes(
                "",
                "all",
                times,
                all.stream().mapToInt(WorkTimes::wanted).sum(),
                all.stream().mapToInt(WorkTimes::failed).sum(),
                all.stream().mapToLong(WorkTimes::bytes).sum(),
                of.spanUs());
    }

    private double work(WorkTimes times, String workload, Metric metric) {
        return switch (metric) {
            case P50 -> times.percentile(50);
            case P90 -> times.percentile(90);
            case P99 -> times.percentile(99);
            case P999 -> times.percentile(99.9);
            case MIN -> times.percentile(0);
            case MAX -> times.percentile(100);
            case GOODPUT -> times.goodput();
            case COMPLETED -> times.completedPercent();
            case FAILED -> times.failed();
            case SLOWDOWN -> times.percentile(100) / before(workload, 100);
            case SLOWDOWN_P50 -> times.percentile(50) / before(workload, 50);
            default -> throw new AssertionError(metric);
        };
    }

    /// In the run without faults; the same run where there is no other.
    private double before(String workload, double percent) {
        return merged(baseline.orElse(outcome), workload).percentile(percent);
    }

    private double job(Metric metric) {
        if (outcome.job().isEmpty()) {
            return Double.NaN;
        }
        JobResult job = outcome.job().get();
        List<Double> times = outcome.works().getLast().timesUs();
        return switch (metric) {
            case BUSBW -> job.busBandwidth();
            case STEP_TIME -> times.stream().mapToDouble(it -> it).average().orElse(Double.NaN);
            case LOST_TIME -> lostUs(times);
            case EXPOSED -> job.exposedPercent();
            default -> throw new AssertionError(metric);
        };
    }

    /// NaN where there is no other run, or one of the two is not over.
    private double lostUs(List<Double> times) {
        List<Double> before = baseline.map(it -> it.works().getLast().timesUs()).orElse(List.of());
        return before.isEmpty() || before.size() != times.size()
                ? Double.NaN
                : sum(times) - sum(before);
    }

    private static double sum(List<Double> times) {
        return times.stream().mapToDouble(it -> it).sum();
    }

    private double all(Metric metric) {
        return switch (metric) {
            case SPAN -> outcome.spanUs();
            case BISECTION -> bisection();
            case DROPS -> outcome.counts().drops();
            case LOST -> outcome.counts().lost();
            case PAUSES -> outcome.counts().pauses();
            case PAUSED -> ports.longestHeldShare(false) * watchedUs();
            case PAUSED_SHARE -> 100 * ports.longestHeldShare(false);
            case CREDIT_WAIT -> 100 * ports.longestHeldShare(true);
            case MARKED ->
                    100.0
                            * outcome.congestion().marked()
                            / Math.max(1, outcome.counts().injected());
            case CNPS -> outcome.congestion().noticesSent();
            case RETRANSMITS -> outcome.devices().getOrDefault("req_retransmits", 0L);
            case TIMEOUTS -> outcome.devices().getOrDefault("local_ack_timeout_err", 0L);
            case PEAK_QUEUE -> outcome.counts().highestBuffer();
            case BUSIEST -> 100 * ports.busiest().map(ports::busy).orElse(0.0);
            case IMBALANCE -> ports.imbalance().map(Ports.Imbalance::factor).orElse(1.0);
            case DEADLOCKS -> outcome.deadlock().isPresent() ? 1 : 0;
            default -> throw new AssertionError(metric);
        };
    }

    private double watchedUs() {
        return outcome.moments()
                .filter(it -> it.steps() > 0)
                .map(it -> it.endUs(it.steps() - 1))
                .orElse(0.0);
    }

    /// Of all flows together, by what their senders' NICs carry at most.
    private double bisection() {
        long senders =
                outcome.scenario().flows().stream()
                        .flatMap(it -> it.flows().stream())
                        .mapToInt(it -> it.source())
                        .distinct()
                        .count();
        double nominal = senders * outcome.scenario().network().line().bitsPerSecond() / 1e9;
        return nominal == 0 ? Double.NaN : 100 * merged(outcome, "").goodput() / nominal;
    }
}
