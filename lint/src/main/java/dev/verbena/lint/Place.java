package dev.verbena.lint;

/// Where a value stands.
///
/// @param file the name that the caller gave
/// @param line from 1
/// @param column in characters, from 1
public record Place(String file, int line, int column) {
    static Place start(String file) {
        return new Place(file, 1, 1);
    }

    /// Evidence: what stands here.
    String says(String text) {
        return this + ": " + text;
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
