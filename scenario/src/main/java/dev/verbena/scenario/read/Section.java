package dev.verbena.scenario.read;

import dev.verbena.fabric.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A mapping of the document, whose values are asked for by key. A value that is missing or wrong
/// is the usual one: the wrong one is a problem already, and the reader goes on to find others.
final class Section {
    private final JsonNode node;
    private final String pointer;
    private final Problems problems;

    Section(JsonNode node, String pointer, Problems problems) {
        this.node = node;
        this.pointer = pointer;
        this.problems = problems;
    }

    String pointer() {
        return pointer;
    }

    String at(String key) {
        return pointer + "/" + key;
    }

    boolean has(String key) {
        return node.hasNonNull(key);
    }

    JsonNode node(String key) {
        return node.path(key);
    }

    Section section(String key) {
        return new Section(node.path(key), at(key), problems);
    }

    List<Section> list(String key) {
        List<Section> all = new ArrayList<>();
        for (JsonNode each : node.path(key)) {
            all.add(new Section(each, at(key) + "/" + all.size(), problems));
        }
        return all;
    }

    /// Says what is wrong with a value.
    void wrong(String key, String text) {
        problems.add(at(key), text);
    }

    void wrongKey(String key, String text) {
        problems.addKey(at(key), text);
    }

    String text(String key, String usual) {
        JsonNode value = node.path(key);
        return value.isValueNode() && !value.isNull() ? value.asString() : usual;
    }

    @Nullable String text(String key) {
        return has(key) ? text(key, "") : null;
    }

    int integer(String key, int usual) {
        JsonNode value = node.path(key);
        return value.isIntegralNumber() && value.canConvertToInt() ? value.intValue() : usual;
    }

    long whole(String key, long usual) {
        JsonNode value = node.path(key);
        return value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : usual;
    }

    double number(String key, double usual) {
        JsonNode value = node.path(key);
        return value.isNumber() && Double.isFinite(value.doubleValue())
                ? value.doubleValue()
                : usual;
    }

    boolean isTrue(String key, boolean usual) {
        JsonNode value = node.path(key);
        return value.isBoolean() ? value.booleanValue() : usual;
    }

    long bytes(String key, long usual) {
        return read(key, usual, Units::bytes);
    }

    long ps(String key, long usual) {
        return read(key, usual, Units::ps);
    }

    double metres(String key, double usual) {
        return read(key, usual, Units::metres);
    }

    double ratio(String key, double usual) {
        return read(key, usual, Units::ratio);
    }

    Rate rate(String key, Rate usual) {
        return read(key, usual, Units::rate);
    }

    private <T> T read(String key, T usual, Function<String, T> reader) {
        JsonNode value = node.path(key);
        if (!value.isValueNode() || value.isNull() || value.isBoolean()) {
            return usual;
        }
        return made(key, usual, () -> reader.apply(value.asString()));
    }

    /// What a maker makes, or the usual value where it refuses, which is a problem of the key.
    <T extends @Nullable Object> T made(String key, T usual, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException wrong) {
            problems.add(at(key), String.valueOf(wrong.getMessage()));
            return usual;
        }
    }
}
