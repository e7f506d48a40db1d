package dev.verbena.cli.plan;

import java.util.List;

/// A part of a report: a table, or lines of text, or both.
record Section(String key, String title, List<Row> rows, List<Note> notes) {

    /// A paragraph.
    ///
    /// @param network the word of the network that it is about, or empty for all
    /// @param head its first words, or empty
    record Note(String network, String key, String head, String text) {}

    static Section table(String key, String title, List<Row> rows) {
        return new Section(key, title, rows, List.of());
    }

    static Section notes(String key, String title, List<Note> notes) {
        return new Section(key, title, List.of(), notes);
    }
}
