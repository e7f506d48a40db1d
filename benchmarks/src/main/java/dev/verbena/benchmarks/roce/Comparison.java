package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.ResultLog;
import java.util.Locale;

/// Says whether one median of a run is the part of another that it must be.
record Comparison(ResultLog log, String place) {
    /// What has not been measured does not fail.
    boolean holds(String who, String what, String than, String other, double limit) {
        var ours = log.summary(place, what, who);
        var theirs = log.summary(place, other, than);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return true;
        }
        double ratio = ours.get().median() / theirs.get().median();
        boolean isMissed = ratio < limit;
        System.out.printf(
                Locale.ROOT,
                "%-8s %-16s %.2f of %s of %s (must %.2f): %s%n",
                what,
                who,
                ratio,
                than,
                other,
                limit,
                isMissed ? "FAILED" : "ok");
        return !isMissed;
    }
}
