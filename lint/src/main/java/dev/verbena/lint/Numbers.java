package dev.verbena.lint;

import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers as these files write them.
final class Numbers {
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,18}");
    private static final Pattern HEX = Pattern.compile("0[xX]([0-9a-fA-F]{1,16})");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,2})(?:-(\\d{1,2}))?");

    /// Queues, priorities and groups have small numbers.
    private static final int INDEX_MAX = 63;

    private Numbers() {}

    /// A decimal number, also with zeros before it, or a hexadecimal one with `0x`.
    static OptionalLong parse(String text) {
        String number = text.strip();
        if (DECIMAL.matcher(number).matches()) {
            return OptionalLong.of(Long.parseLong(number));
        }
        Matcher hex = HEX.matcher(number);
        return hex.matches()
                ? OptionalLong.of(Long.parseUnsignedLong(hex.group(1), 16))
                : OptionalLong.empty();
    }

    /// `3`, `3-4` or `3,5-6`; empty when it is anything else.
    static Set<Integer> indices(String text) {
        Set<Integer> indices = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                return Set.of();
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (first > last || last > INDEX_MAX) {
                return Set.of();
            }
            for (int i = first; i <= last; i++) {
                indices.add(i);
            }
        }
        return indices;
    }
}
