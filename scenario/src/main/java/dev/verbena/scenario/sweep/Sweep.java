package dev.verbena.scenario.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A scenario and axes of values. Each combination is a point; points are numbered from 0, and the
/// last axis changes the fastest.
///
/// @param scenario name of its file
public record Sweep(String title, String scenario, List<Axis> axes) {
    /// A sweep has no more points than this.
    public static final int POINTS_MAX = 100_000;

    /// Values of one place in the scenario, such as `fabric.ecn.kmin`.
    public record Axis(String path, List<JsonNode> values) {
        public Axis {
            values = List.copyOf(values);
        }
    }

    public Sweep {
        axes = List.copyOf(axes);
    }

    /// How many points it has.
    public int points() {
        return axes.stream().mapToInt(it -> it.values().size()).reduce(1, Math::multiplyExact);
    }

    /// The values of a point, by path.
    public Map<String, JsonNode> point(int index) {
        LinkedHashMap<String, JsonNode> values = new LinkedHashMap<>();
        int left = points();
        int rest = index;
        for (Axis each : axes) {
            left /= each.values().size();
            values.put(each.path(), each.values().get(rest / left));
            rest %= left;
        }
        return values;
    }

    /// The numbered list, as CSV.
    public String list() {
        Csv csv = new Csv();
        csv.cell("index");
        axes.forEach(it -> csv.cell(it.path()));
        csv.end();
        for (int index = 0; index < points(); index++) {
            csv.cell(Integer.toString(index));
            point(index).values().forEach(it -> csv.cell(it.asString()));
            csv.end();
        }
        return csv.toString();
    }
}
