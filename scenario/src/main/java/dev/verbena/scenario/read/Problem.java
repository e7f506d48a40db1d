package dev.verbena.scenario.read;

/// A mistake in a scenario: where it is, and what to do about it.
///
/// @param line from 1
/// @param column from 1
/// @param path of the value, such as `workloads[0].incast.size`; empty for the file as a whole
public record Problem(String file, int line, int column, String path, String text) {
    @Override
    public String toString() {
        String where = path.isEmpty() ? "" : path + ": ";
        return "%s:%d:%d: %s%s".formatted(file, line, column, where, text);
    }
}
