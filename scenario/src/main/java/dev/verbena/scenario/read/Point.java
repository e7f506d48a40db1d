package dev.verbena.scenario.read;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A scenario in which some values are others.
public final class Point {
    private static final Pattern PATH =
            Pattern.compile("[A-Za-z_][\\w-]*(\\[\\d{1,4}])*(\\.[\\w-]+(\\[\\d{1,4}])*)*");
    private static final Pattern STEP = Pattern.compile("([\\w-]+)|\\[(\\d{1,4})]");

    private Point() {}

    /// Whether a text is a path such as `workloads[0].incast.senders`.
    static boolean isPath(String path) {
        return PATH.matcher(path).matches();
    }

    /// The text of a scenario with other values. It is JSON, and so YAML.
    ///
    /// @throws IllegalArgumentException for a path that leads nowhere
    public static String of(String base, Map<String, JsonNode> values) {
        ObjectNode root = Document.parse("", base).root().deepCopy();
        values.forEach((path, value) -> set(root, path, value));
        return JsonMapper.shared().writeValueAsString(root);
    }

    private static void set(ObjectNode root, String path, JsonNode value) {
        List<Matcher> steps = STEP.matcher(path).results().map(it -> step(it.group())).toList();
        JsonNode at = root;
        for (int i = 0; i < steps.size() - 1; i++) {
            boolean isList = steps.get(i + 1).group(2) != null;
            at = child(at, steps.get(i), path, isList);
        }
        Matcher last = steps.getLast();
        if (at instanceof ArrayNode list && last.group(2) != null) {
            list.set(index(list, last, path), value);
        } else if (at instanceof ObjectNode object && last.group(1) != null) {
            object.set(last.group(1), value);
        } else {
            throw nowhere(path);
        }
    }

    private static Matcher step(String text) {
        Matcher step = STEP.matcher(text);
        boolean isStep = step.matches();
        assert isStep;
        return step;
    }

    private static JsonNode child(JsonNode at, Matcher step, String path, boolean isList) {
        if (at instanceof ArrayNode list && step.group(2) != null) {
            return list.get(index(list, step, path));
        }
        if (at instanceof ObjectNode object && step.group(1) != null) {
            JsonNode known = object.get(step.group(1));
            if (known != null && !known.isNull()) {
                return known;
            }
            if (!isList) {
                return object.putObject(step.group(1));
            }
        }
        throw nowhere(path);
    }

    private static int index(ArrayNode list, Matcher step, String path) {
        int index = Integer.parseInt(step.group(2));
        if (index >= list.size()) {
            throw nowhere(path);
        }
        return index;
    }

    private static IllegalArgumentException nowhere(String path) {
        return new IllegalArgumentException(
                "axis %s leads nowhere in the scenario; use a place that it has".formatted(path));
    }
}
