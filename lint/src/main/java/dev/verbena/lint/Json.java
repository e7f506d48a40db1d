package dev.verbena.lint;

import java.util.Map;

/// A value of a JSON document, with its place.
///
/// @param text of a string, number or boolean; empty for others
/// @param members of an object; empty for others
record Json(Shape shape, Place place, String text, Map<String, Json> members) {
    /// What a value is.
    enum Shape {
        OBJECT,
        ARRAY,
        TEXT,
        NULL
    }

    static Json text(Place place, String text) {
        return new Json(Shape.TEXT, place, text, Map.of());
    }

    static Json of(Shape shape, Place place) {
        return new Json(shape, place, "", Map.of());
    }

    boolean isObject() {
        return shape == Shape.OBJECT;
    }
}
