package dev.verbena.scenario.report;

import dev.verbena.scenario.Metric;
import dev.verbena.scenario.run.Measures;
import dev.verbena.scenario.run.Outcome;
import dev.verbena.scenario.run.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The figures that the first page shows, for the run and for the one without faults.
///
/// @param value with its unit
/// @param before the same without faults; empty where there is no such run
public record Kpi(String label, String value, String before) {
    private static final double US_PER_SECOND = 1e6;

    /// All figures that mean something for a run.
    public static List<Kpi> of(Result result) {
        return new Maker(result).all();
    }

    private static final class Maker {
        private final Result result;
        private final Optional<Measures> baseline;
        private final List<Kpi> all = new ArrayList<>();

        Maker(Result result) {
            this.result = result;
            baseline = result.baseline().map(it -> new Measures(it, Optional.empty()));
        }

        List<Kpi> all() {
            Outcome outcome = result.outcome();
            boolean isJob = outcome.job().isPresent();
            boolean isTraining = isJob && !Double.isNaN(outcome.job().get().exposedPercent());
            if (isTraining) {
                add("Training step", Metric.STEP_TIME);
                add("Exposed communication", Metric.EXPOSED);
                if (baseline.isPresent()) {
                    add("Lost to faults, all steps", Metric.LOST_TIME);
                }
            }
            add(
                    isTraining ? "Longest step" : isJob ? "Longest operation" : "Completion p50",
                    isJob ? Metric.MAX : Metric.P50);
            if (!isJob) {
                add("Completion p99", Metric.P99);
                add("Completion p99.9", Metric.P999);
            }
            if (isJob && !isTraining) {
                add("Bus bandwidth", Metric.BUSBW);
            }
            if (!isJob) {
                add("Goodput", Metric.GOODPUT);
                add("Of the senders' rate", Metric.BISECTION);
            }
            if (!outcome.scenario().isFlowLevel()) {
                counted(outcome);
            }
            return all;
        }

        private void counted(Outcome outcome) {
            add("RDMA completion rate", Metric.COMPLETED);
            add("Sent again", Metric.RETRANSMITS);
            add("Timeouts", Metric.TIMEOUTS);
            add("Dropped by switches", Metric.DROPS);
            if (outcome.counts().lost() > 0) {
                add("Lost on cables", Metric.LOST);
            }
            if (outcome.scenario().network().isInfiniBand()) {
                add("Longest wait for credits", Metric.CREDIT_WAIT);
            } else {
                rate("Pause frames a second", Metric.PAUSES);
                add("Longest paused port", Metric.PAUSED_SHARE);
                add("Marked by ECN", Metric.MARKED);
                rate("CNPs a second", Metric.CNPS);
            }
            add("Fullest buffer", Metric.PEAK_QUEUE);
            add("Busiest link", Metric.BUSIEST);
            joules(outcome);
        }

        private void add(String label, Metric metric) {
            all.add(
                    new Kpi(
                            label,
                            Measures.text(metric, result.measures().of("", metric)),
                            baseline.map(it -> Measures.text(metric, it.of("", metric)))
                                    .orElse("")));
        }

        private void rate(String label, Metric metric) {
            all.add(
                    new Kpi(
                            label,
                            perSecond(result.measures(), metric),
                            baseline.map(it -> perSecond(it, metric)).orElse("")));
        }

        private static String perSecond(Measures of, Metric metric) {
            double span = of.of("", Metric.SPAN);
            double rate = span == 0 ? 0 : of.of("", metric) / span * US_PER_SECOND;
            return String.format(Locale.ROOT, "%,.0f", rate);
        }

        /// Of switches alone: joules by gigabytes delivered.
        private void joules(Outcome outcome) {
            double watts = outcome.scenario().network().watts();
            long bytes = outcome.works().stream().mapToLong(it -> it.bytes()).sum();
            if (watts > 0 && bytes > 0) {
                double joules = watts * outcome.spanUs() / US_PER_SECOND / (bytes / 1e9);
                all.add(
                        new Kpi(
                                "Switches' energy",
                                String.format(Locale.ROOT, "%.2f J/GB", joules),
                                ""));
            }
        }
    }
}
