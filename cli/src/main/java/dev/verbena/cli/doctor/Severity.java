package dev.verbena.cli.doctor;

import java.util.Locale;

/// How bad a finding is.
enum Severity {
    /// Stops RDMA, or a part of it.
    ERROR,
    /// RDMA works, and is slow or breaks easily.
    WARNING,
    /// Good to know.
    NOTE;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// A number of them, as a person says it.
    String counted(long count) {
        return count + " " + word() + (count == 1 ? "" : "s");
    }
}
