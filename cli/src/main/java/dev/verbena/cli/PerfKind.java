package dev.verbena.cli;

/// The quantity that a test measures.
enum PerfKind {
    /// Bytes in a time, with many requests under way.
    BW,
    /// The time of one message, one at a time.
    LAT
}
