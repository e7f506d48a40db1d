package dev.verbena.transport.cm;

/// What became of a message; the message may have been answered all the same.
public enum CmVerdict {
    /// It had its effect.
    TAKEN,
    /// A request that was refused: nobody listens, there is no room, or it is not as it should be.
    REFUSED,
    /// It came again, or when nothing waits for it.
    REPEATED,
    /// It names nothing that is known of its sender.
    STRAY
}
