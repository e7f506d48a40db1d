package dev.verbena.scenario.report;

import dev.verbena.scenario.Metric;
import dev.verbena.scenario.compare.Comparison;
import dev.verbena.scenario.run.Measures;
import dev.verbena.scenario.run.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The figures of two results, side by side.
///
/// @param metric as in `assert`, with the workload before it where there are several
/// @param ratio of the second to the first; NaN where there is none
record Figures(String metric, String meaning, String a, String b, double ratio) {
    private static final List<Metric> OF_WORK =
            List.of(
                    Metric.P50,
                    Metric.P99,
                    Metric.MAX,
                    Metric.GOODPUT,
                    Metric.COMPLETED,
                    Metric.FAILED);

    /// Those that at least one of the two has, and that are not zero in both.
    static List<Figures> of(Comparison both) {
        List<Figures> all = new ArrayList<>();
        var works = both.a().result().outcome().works();
        for (var work : works) {
            OF_WORK.forEach(it -> add(all, both, works.size() > 1 ? work.name() : "", it));
        }
        for (Metric each : Metric.values()) {
            boolean isFlow = both.a().result().outcome().scenario().isFlowLevel();
            boolean isShared = each.of() == Metric.Of.ALL && each != Metric.CULPRIT && !isFlow;
            // Of an operation it is its time, which is above.
            boolean isStep = each == Metric.STEP_TIME && !isTraining(both.a().result());
            if ((each.of() == Metric.Of.JOB && !isStep) || isShared) {
                add(all, both, "", each);
            }
        }
        return all;
    }

    private static void add(List<Figures> all, Comparison both, String work, Metric metric) {
        double a = value(both.a().result(), work, metric);
        double b = value(both.b().result(), work, metric);
        boolean isNothing = (Double.isNaN(a) || a == 0) && (Double.isNaN(b) || b == 0);
        if (!isNothing) {
            all.add(
                    new Figures(
                            work.isEmpty() ? metric.toString() : work + "." + metric,
                            metric.meaning(),
                            Measures.text(metric, a),
                            Measures.text(metric, b),
                            a == 0 ? Double.NaN : b / a));
        }
    }

    private static boolean isTraining(Result of) {
        return !Double.isNaN(of.measures().of("", Metric.EXPOSED));
    }

    private static double value(Result of, String work, Metric metric) {
        return of.measures().of(work, metric);
    }

    /// The ratio with two digits, or nothing.
    String factor() {
        return Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%.2f", ratio);
    }
}
