package dev.verbena.verbs;

/// The completions that trigger a requested notification (IBA 11.4.2.2).
public enum Notification {
    /// The next completion of any kind.
    ANY,
    /// The next receive that the peer marked as solicited, or the next error.
    SOLICITED
}
