package dev.verbena.cli;

/// Which atomic a test does, by perftest's name.
enum AtomicKind {
    CMP_AND_SWAP,
    FETCH_AND_ADD
}
