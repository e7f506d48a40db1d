package dev.verbena.conformance.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads a plan of bugs.
///
/// A plan is text: four lines a bug, `#` for comments, and `|` before every further line of a text
/// that has more than one.
///
/// ```
/// bug: the length is not checked
/// file: Reader.java
/// find: if (length < 4) {
/// |            return SHORT;
/// replace: if (length < 3) {
/// |            return SHORT;
/// ```
public final class PlantedBugs {
    private static final List<String> KEYS = List.of("bug", "file", "find", "replace");

    private final Path plan;
    private final List<PlantedBug> bugs = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, String> block = new LinkedHashMap<>();
    private String lastKey = "";

    private PlantedBugs(Path plan) {
        this.plan = plan;
    }

    public static List<PlantedBug> read(Path plan) throws IOException {
        PlantedBugs reader = new PlantedBugs(plan);
        List<String> lines = Files.readAllLines(plan);
        for (int i = 0; i < lines.size(); i++) {
            reader.line(i + 1, lines.get(i));
        }
        reader.endOfBlock(lines.size());
        if (reader.bugs.isEmpty()) {
            throw new PlantedException(plan + " plants nothing");
        }
        return List.copyOf(reader.bugs);
    }

    private void line(int number, String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith("|") && !lastKey.isEmpty()) {
            block.merge(lastKey, line.substring(1), (first, more) -> first + "\n" + more);
            return;
        }
        int colon = line.indexOf(':');
        String key = colon < 0 ? "" : line.substring(0, colon);
        if (!KEYS.contains(key)) {
            throw refused(number, "expected one of " + KEYS + ", found: " + line);
        }
        if (key.equals("bug")) {
            endOfBlock(number);
        }
        if (block.putIfAbsent(key, line.substring(colon + 1).strip()) != null) {
            throw refused(number, "a second " + key + " for one bug");
        }
        lastKey = key;
    }

    private void endOfBlock(int number) {
        if (block.isEmpty()) {
            return;
        }
        PlantedBug bug =
                new PlantedBug(
                        value(number, "bug"),
                        Path.of(value(number, "file")),
                        value(number, "find"),
                        block.getOrDefault("replace", ""));
        if (!block.containsKey("replace")) {
            throw refused(number, "bug '" + bug.name() + "' has no replace, not even an empty one");
        }
        if (bug.find().equals(bug.replace())) {
            throw refused(number, "bug '" + bug.name() + "' changes nothing");
        }
        if (!names.add(bug.name())) {
            throw refused(number, "a second bug is called '" + bug.name() + "'");
        }
        bugs.add(bug);
        block.clear();
        lastKey = "";
    }

    private String value(int number, String key) {
        String value = block.getOrDefault(key, "");
        if (value.isEmpty()) {
            throw refused(number, "the bug before this line has no " + key + ": " + block);
        }
        return value;
    }

    private PlantedException refused(int number, String message) {
        return new PlantedException(plan.getFileName() + ":" + number + ": " + message);
    }
}
