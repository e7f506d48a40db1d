package dev.verbena.verbs;

/// Which completions wake a program that asked to be told (IBA 11.4.2.2).
public enum Notification {
    /// The next one of any kind.
    ANY,
    /// The next receive that the peer marked as solicited, or the next error.
    SOLICITED
}
