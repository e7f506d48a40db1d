package dev.verbena.plan;

import java.util.Collection;
import java.util.List;

/// Lists in words.
final class Texts {
    private Texts() {}

    /// Such as `a, b or c`.
    static String or(Collection<?> things) {
        return joined(things, " or ");
    }

    /// Such as `a, b and c`.
    static String and(Collection<?> things) {
        return joined(things, " and ");
    }

    private static String joined(Collection<?> things, String last) {
        List<String> all = things.stream().map(String::valueOf).toList();
        int end = all.size() - 1;
        return end <= 0
                ? String.join("", all)
                : String.join(", ", all.subList(0, end)) + last + all.get(end);
    }
}
