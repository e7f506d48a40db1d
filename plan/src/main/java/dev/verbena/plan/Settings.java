package dev.verbena.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/// Inputs by key, as words, each with the place where it was given: a flag, or a line of a file.
///
/// What is put later replaces what was put before, so that flags change a file.
public final class Settings {
    private record Entry(List<String> words, String place) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();

    /// No inputs yet.
    public Settings() {}

    /// Reads a file of inputs.
    ///
    /// @param file what errors call the text
    public Settings putAll(String file, String text) {
        YamlMap map = Yaml.read(file, text);
        for (String key : map.keys()) {
            List<String> words = new ArrayList<>();
            for (Node word : map.yaml().list(map.need(key))) {
                words.addAll(words(map.yaml().text(word, key)));
            }
            entries.put(key, new Entry(words, map.place(key) + ": " + key));
        }
        return this;
    }

    /// Adds an input.
    ///
    /// @param place what errors call it
    public Settings put(String key, String value, String place) {
        entries.put(key, new Entry(words(value), place));
        return this;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    boolean has(String key) {
        asked.add(key);
        return entries.containsKey(key);
    }

    /// A whole number.
    int number(String key, int usual, int least, int most) {
        if (!has(key)) {
            return usual;
        }
        String word = word(key);
        if (word.matches("\\d{1,9}")) {
            int number = Integer.parseInt(word);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw bad(key, "\"%s\"; use a whole number, %,d to %,d".formatted(word, least, most));
    }

    /// A number that may have a fraction.
    double decimal(String key, double usual, double least, double most) {
        if (!has(key)) {
            return usual;
        }
        String word = word(key);
        if (word.matches("\\d{1,9}(\\.\\d{1,6})?")) {
            double number = Double.parseDouble(word);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw bad(
                key,
                "\"%s\"; use a number, %s to %s"
                        .formatted(word, Figure.plain(least), Figure.plain(most)));
    }

    String word(String key, String usual) {
        return has(key) ? word(key) : usual;
    }

    private String word(String key) {
        List<String> words = words(key, List.of());
        if (words.size() != 1) {
            throw bad(key, "%d values; use one".formatted(words.size()));
        }
        return words.getFirst();
    }

    List<String> words(String key, List<String> usual) {
        asked.add(key);
        Entry entry = entries.get(key);
        return entry == null ? usual : entry.words();
    }

    <E extends Enum<E>> E choice(String key, E usual) {
        return has(key) ? choice(key, word(key), usual.getDeclaringClass()) : usual;
    }

    <E extends Enum<E>> List<E> choices(String key, List<E> usual, Class<E> kind) {
        return has(key)
                ? words(key, List.of()).stream()
                        .map(word -> choice(key, word, kind))
                        .distinct()
                        .toList()
                : usual;
    }

    private <E extends Enum<E>> E choice(String key, String word, Class<E> kind) {
        List<String> words =
                Arrays.stream(kind.getEnumConstants())
                        .map(it -> it.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList();
        int found = words.indexOf(word);
        if (found < 0) {
            throw bad(key, "\"%s\" is not known; use %s".formatted(word, Texts.or(words)));
        }
        return kind.getEnumConstants()[found];
    }

    /// Refuses keys that no code has asked for.
    void finish() {
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            if (!asked.contains(entry.getKey())) {
                throw new PlanException(
                        "%s is not known; use %s"
                                .formatted(
                                        entry.getValue().place(),
                                        Texts.or(asked.stream().sorted().toList())));
            }
        }
    }

    PlanException bad(String key, String what) {
        Entry entry = entries.get(key);
        return new PlanException((entry == null ? key : entry.place()) + ": " + what);
    }
}
