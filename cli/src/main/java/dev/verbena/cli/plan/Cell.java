package dev.verbena.cli.plan;

/// One entry of a table.
///
/// @param value what the JSON has: a number, a text, or a list or map of them
record Cell(String text, Object value) {
    static final Cell NONE = new Cell("-", "");

    static Cell of(int number) {
        return new Cell("%,d".formatted(number), number);
    }

    static Cell of(String text) {
        return new Cell(text, text);
    }
}
