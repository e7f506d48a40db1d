package dev.verbena.lint;

import java.util.Locale;

/// How bad a finding is.
public enum Severity {
    /// Breaks the network, or a part of it.
    ERROR,
    /// Works, and is slow or breaks easily.
    WARNING,
    /// Good to know.
    NOTE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// A number of them, as a person says it.
    public String counted(long count) {
        return count + " " + word() + (count == 1 ? "" : "s");
    }
}
