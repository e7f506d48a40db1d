package dev.verbena.scenario.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// A value that two scenarios have different.
///
/// @param path such as `fabric.kind`
/// @param a empty where the file does not say it, and likewise `b`
public record Setting(String path, String a, String b) {
    /// Keys that change nothing of what is simulated.
    private static final Set<String> WORDS = Set.of("scenario", "about", "assert", "record");

    /// The differences of two texts that were read without a problem.
    public static List<Setting> different(String a, String b) {
        Map<String, String> one = values(a);
        Map<String, String> other = values(b);
        Set<String> paths = new TreeSet<>(one.keySet());
        paths.addAll(other.keySet());
        List<Setting> all = new ArrayList<>();
        for (String path : paths) {
            String left = one.getOrDefault(path, "");
            String right = other.getOrDefault(path, "");
            if (!left.equals(right)) {
                all.add(new Setting(path, left, right));
            }
        }
        return all;
    }

    private static Map<String, String> values(String text) {
        Map<String, String> all = new TreeMap<>();
        Document.parse("", text)
                .root()
                .properties()
                .forEach(
                        it -> {
                            if (!WORDS.contains(it.getKey())) {
                                add(all, "/" + it.getKey(), it.getValue());
                            }
                        });
        return all;
    }

    private static void add(Map<String, String> all, String pointer, JsonNode node) {
        if (node.isObject()) {
            node.properties().forEach(it -> add(all, pointer + "/" + it.getKey(), it.getValue()));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                add(all, pointer + "/" + i, node.get(i));
            }
        } else {
            all.put(Problems.path(pointer), node.asString());
        }
    }
}
