package dev.verbena.transport.cm;

/// The result of processing a message; the message may have been answered in any case.
public enum CmVerdict {
    /// It had its effect.
    TAKEN,
    /// A request was refused: there is no such service, there is no room, or the request is
    /// invalid.
    REFUSED,
    /// It came again, or when nothing waits for it.
    REPEATED,
    /// It names nothing that is known of its sender.
    STRAY
}
