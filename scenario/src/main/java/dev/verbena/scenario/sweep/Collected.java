package dev.verbena.scenario.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// The results of a sweep that are there, as one table.
///
/// @param results by number of the point
public record Collected(Sweep sweep, TreeMap<Integer, PointResult> results) {
    /// Points without a result, as `3, 7-9`.
    public String missing() {
        List<String> ranges = new ArrayList<>();
        int from = -1;
        for (int index = 0; index <= sweep.points(); index++) {
            boolean isMissing = index < sweep.points() && !results.containsKey(index);
            if (isMissing && from < 0) {
                from = index;
            } else if (!isMissing && from >= 0) {
                ranges.add(from == index - 1 ? "" + from : from + "-" + (index - 1));
                from = -1;
            }
        }
        return String.join(", ", ranges);
    }

    /// How many have no result.
    public int missingCount() {
        return sweep.points() - results.size();
    }

    /// How many could not run, or do not hold what they assert.
    public long failed() {
        return results.values().stream().filter(it -> !it.holds()).count();
    }

    /// A row for each point, in their order.
    public String csv() {
        Set<String> metrics = new LinkedHashSet<>();
        results.values().forEach(it -> metrics.addAll(it.metrics().keySet()));
        Csv csv = new Csv();
        csv.cell("index");
        sweep.axes().forEach(it -> csv.cell(it.path()));
        List.of("holds", "error", "culprit", "headline").forEach(csv::cell);
        metrics.forEach(csv::cell);
        csv.end();
        results.forEach(
                (index, result) -> {
                    csv.cell(Integer.toString(index));
                    sweep.point(index).values().forEach(it -> csv.cell(it.asString()));
                    csv.cell(Boolean.toString(result.holds()));
                    csv.cell(result.error());
                    csv.cell(result.culprit());
                    csv.cell(result.headline());
                    for (String metric : metrics) {
                        Double value = result.metrics().get(metric);
                        csv.cell(value == null ? "" : Double.toString(value));
                    }
                    csv.end();
                });
        return csv.toString();
    }
}
