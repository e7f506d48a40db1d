package dev.verbena.subnet.admin;

/// What became of a datagram that was handed to subnet administration.
public enum SaVerdict {
    /// It was taken, and answered if it asked for something, perhaps with a refusal.
    OK,
    /// It is no datagram of subnet administration.
    MALFORMED,
    /// An answer or acknowledgement to nothing that was sent.
    NOT_ASKED,
    /// A method that has no answer, which is not for a manager.
    FOREIGN,
    /// There was no room for its answer.
    LIMIT
}
