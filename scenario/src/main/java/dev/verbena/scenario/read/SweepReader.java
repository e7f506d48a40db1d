package dev.verbena.scenario.read;

import dev.verbena.scenario.sweep.Sweep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads a sweep, or says everything that is wrong with it.
public final class SweepReader {
    private static final Set<String> KEYS = Set.of("sweep", "scenario", "axes");
    private static final int AXES_MAX = 16;
    private static final int PATH_MAX = 200;

    /// What was read.
    ///
    /// @param sweep null where there are problems
    public record Reading(@Nullable Sweep sweep, List<Problem> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private final Problems problems;
    private final Section root;

    private SweepReader(Document document) {
        problems = document.problems();
        root = new Section(document.root(), "", problems);
        document.root()
                .propertyNames()
                .forEach(
                        it -> {
                            if (!KEYS.contains(it)) {
                                root.wrongKey(
                                        it,
                                        "there is no such key; use sweep, scenario and axes, and"
                                                + " put what all points have into the scenario");
                            }
                        });
    }

    /// Reads a sweep.
    ///
    /// @param file what problems call the text
    public static Reading read(String file, String text) {
        Document document = Document.parse(file, text);
        if (document.root().isEmpty() && !document.problems().isEmpty()) {
            return new Reading(null, document.problems().sorted());
        }
        SweepReader reader = new SweepReader(document);
        Sweep made = reader.sweep();
        return reader.problems.isEmpty()
                ? new Reading(made, List.of())
                : new Reading(null, reader.problems.sorted());
    }

    private Sweep sweep() {
        String scenario = root.text("scenario", "");
        if (scenario.isEmpty()) {
            root.wrongKey("scenario", "name the scenario, a file beside the sweep");
        }
        List<Sweep.Axis> axes = new ArrayList<>();
        long points = 1;
        for (Map.Entry<String, JsonNode> each : root.node("axes").properties()) {
            axes.add(new Sweep.Axis(each.getKey(), values(each.getKey(), each.getValue())));
            points = Math.min(Sweep.POINTS_MAX + 1L, points * axes.getLast().values().size());
        }
        if (axes.isEmpty()) {
            root.wrongKey("axes", "add axes, such as axes: {seed: [1, 2, 3]}");
        }
        if (axes.size() > AXES_MAX || points > Sweep.POINTS_MAX) {
            root.wrongKey(
                    "axes",
                    "more than %d axes or %,d points; use fewer values, or several sweeps"
                            .formatted(AXES_MAX, Sweep.POINTS_MAX));
        }
        return new Sweep(root.text("sweep", scenario), scenario, axes);
    }

    private List<JsonNode> values(String path, JsonNode list) {
        String key = "axes/" + path.replace("~", "~0").replace("/", "~1");
        if (path.length() > PATH_MAX || !Point.isPath(path)) {
            root.wrongKey(
                    key,
                    "this is no place in a scenario; write it as fabric.ecn.kmin or"
                            + " workloads[0].incast.senders");
        }
        List<JsonNode> all = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (JsonNode each : list) {
            if (!each.isValueNode() || each.isNull()) {
                root.wrong(key + "/" + all.size(), "use numbers and words only");
            } else if (!known.add(each.asString())) {
                root.wrong(key + "/" + all.size(), "the value is there already; leave one out");
            }
            all.add(each);
        }
        if (!list.isArray() || all.isEmpty()) {
            root.wrong(key, "use a list of values, such as [1, 2, 3]");
        }
        return all;
    }
}
