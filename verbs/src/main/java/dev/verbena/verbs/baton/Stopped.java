package dev.verbena.verbs.baton;

/// Ends a thread where it waits, because another one has failed or the work is over. No `catch
/// (Exception …)` of a program takes it for an error of its own.
public final class Stopped extends Error {
    private static final long serialVersionUID = 1;

    Stopped() {
        super("the threads that take turns have ended", null, false, false);
    }
}
