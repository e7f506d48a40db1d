package dev.verbena.conformance.hostile;

/// What becomes of a hostile peer's process.
public enum PeerFate {
    /// `kill -9` at any moment.
    KILLED,
    /// It ends by itself, without closing anything.
    HALTED,
    /// Its heap is full.
    OUT_OF_MEMORY,
    /// It may open no more files.
    OUT_OF_FILES
}
