package dev.verbena.job.replay;

/// What a node of a schedule does.
public enum NodeKind {
    /// Takes time.
    CALC,
    /// Sends a message to another rank.
    SEND,
    /// Takes a message of another rank.
    RECEIVE,
    /// Takes part in a collective operation.
    COLLECTIVE
}
