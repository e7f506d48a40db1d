package dev.verbena.scenario.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The mistakes of one file. A value has one problem at most: the first that was found.
final class Problems {
    private final Places places;
    private final List<Problem> all = new ArrayList<>();
    private final Set<String> known = new HashSet<>();

    Problems(Places places) {
        this.places = places;
    }

    /// Adds a problem of the value at a pointer.
    void add(String pointer, String text) {
        add(pointer, places.value(pointer), text);
    }

    /// Adds a problem of the key at a pointer.
    void addKey(String pointer, String text) {
        add(pointer, places.key(pointer), text);
    }

    private void add(String pointer, Places.Place at, String text) {
        if (known.add(pointer)) {
            all.add(new Problem(places.file(), at.line(), at.column(), path(pointer), text));
        }
    }

    boolean has(String pointer) {
        return known.contains(pointer);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /// In the order of the file.
    List<Problem> sorted() {
        return all.stream()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
                .toList();
    }

    /// `/workloads/0/name` as `workloads[0].name`.
    static String path(String pointer) {
        StringBuilder path = new StringBuilder();
        for (String part : pointer.replace("\0", "").split("/", -1)) {
            if (part.matches("\\d+")) {
                path.append('[').append(part).append(']');
            } else if (!part.isEmpty()) {
                path.append(path.isEmpty() ? "" : ".").append(part);
            }
        }
        return path.toString();
    }
}
