package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads shapes with cycles as they are written on a command line: `torus:4x4x4`, and
/// `dragonfly:2x4x2` for hosts of a switch, switches of a group and cables of a switch to other
/// groups.
public final class Shape {
    private static final Pattern TEXT =
            Pattern.compile("(torus|dragonfly):(\\d{1,4}(?:x\\d{1,4}){0,7})");
    private static final int DRAGONFLY = 3;

    private Shape() {}

    /// The shape, or nothing for a text that is none, such as a file.
    ///
    /// @throws IllegalArgumentException for a shape with impossible numbers
    public static Optional<Topology> parse(String text) {
        if (!text.startsWith("torus:") && !text.startsWith("dragonfly:")) {
            return Optional.empty();
        }
        Matcher read = TEXT.matcher(text);
        if (!read.matches()) {
            throw new IllegalArgumentException(
                    text + ": write it as torus:4x4x4 or dragonfly:2x4x2");
        }
        List<Integer> numbers = new ArrayList<>();
        for (String each : read.group(2).split("x", -1)) {
            numbers.add(Integer.valueOf(each));
        }
        if (read.group(1).equals("torus")) {
            return Optional.of(new Torus(numbers).topology());
        }
        if (numbers.size() != DRAGONFLY) {
            throw new IllegalArgumentException(
                    text
                            + ": give hosts of a switch, switches of a group and cables of a switch"
                            + " to other groups, as dragonfly:2x4x2");
        }
        return Optional.of(
                new Dragonfly(numbers.get(0), numbers.get(1), numbers.get(2)).topology());
    }
}
