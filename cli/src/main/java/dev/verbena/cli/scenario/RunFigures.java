package dev.verbena.cli.scenario;

import dev.verbena.cli.metrics.FabricFigures;
import dev.verbena.cli.metrics.Figures;
import dev.verbena.cli.metrics.MetricText;
import dev.verbena.fabric.Fabric;
import dev.verbena.scenario.Metric;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.Watcher;
import dev.verbena.scenario.run.WorkTimes;
import org.jspecify.annotations.Nullable;

/// Figures of `verbena run` for Prometheus: of the fabric while it runs, then of the result too.
///
/// Of the second run, without faults, only the progress is shown: counters that begin anew would
/// look like those of a fabric that has restarted.
final class RunFigures implements Watcher {
    private static final String PREFIX = "verbena_run_";
    private static final double US_PER_SECOND = 1e6;
    private static final double PERCENT = 100;
    private static final double GIGA = 1e9;

    private final Figures figures;
    private final Watcher next;
    private @Nullable FabricFigures last;
    private double share;

    RunFigures(Figures figures, Watcher next) {
        this.figures = figures;
        this.next = next;
    }

    @Override
    public void look(String what, Fabric fabric, boolean isLast) {
        boolean isFirstRun = what.isEmpty();
        if (isFirstRun && isLast) {
            last = new FabricFigures(fabric);
        } else if (isFirstRun) {
            figures.look(
                    text -> {
                        new FabricFigures(fabric).write(text);
                        progress(text, share);
                    });
        }
    }

    @Override
    public boolean goOn(String what, double now) {
        share = what.isEmpty() ? now : 1;
        if (last != null) {
            figures.look(
                    text -> {
                        ports(text);
                        progress(text, share);
                    });
        }
        return next.goOn(what, now);
    }

    private void ports(MetricText text) {
        if (last != null) {
            last.write(text);
        }
    }

    private static void progress(MetricText text, double share) {
        text.gauge(PREFIX + "progress_ratio", "How much of the run is over, 0 to 1.")
                .sample(Math.clamp(share, 0, 1));
    }

    /// Shows the result: all that `assert` can name, in the units that Prometheus wants.
    void end(Result result) {
        figures.show(
                text -> {
                    ports(text);
                    progress(text, result.outcome().isPartial() ? share : 1);
                    text.gauge(PREFIX + "good_ratio", "1 if the run is over and all holds.")
                            .sample(result.isGood() ? 1 : 0)
                            .gauge(PREFIX + "info", "What the run shows.")
                            .sample(
                                    1,
                                    "scenario",
                                    result.outcome().scenario().title(),
                                    "culprit",
                                    result.finding().culprit());
                    for (Metric each : Metric.values()) {
                        if (each != Metric.CULPRIT) {
                            metric(text, result, each);
                        }
                    }
                });
    }

    private static void metric(MetricText text, Result result, Metric metric) {
        boolean isFlow = result.outcome().scenario().isFlowLevel();
        if (isFlow && metric.of() == Metric.Of.ALL && metric != Metric.SPAN) {
            return;
        }
        text.gauge(PREFIX + metric + unit(metric), metric.meaning());
        if (metric.of() != Metric.Of.WORK) {
            text.sample(value(result, "", metric));
            return;
        }
        for (WorkTimes work : result.outcome().works()) {
            text.sample(value(result, work.name(), metric), "workload", work.name());
        }
    }

    private static String unit(Metric metric) {
        return switch (metric.unit()) {
            case US -> "_seconds";
            case GBITS, GBYTES -> "_bytes_per_second";
            case PERCENT, FACTOR -> "_ratio";
            case BYTES -> "_bytes";
            case COUNT, TEXT -> "";
        };
    }

    private static double value(Result result, String work, Metric metric) {
        double value = result.measures().of(work, metric);
        return switch (metric.unit()) {
            case US -> value / US_PER_SECOND;
            case GBITS -> value * GIGA / Byte.SIZE;
            case GBYTES -> value * GIGA;
            case PERCENT -> value / PERCENT;
            case FACTOR, BYTES, COUNT, TEXT -> value;
        };
    }
}
