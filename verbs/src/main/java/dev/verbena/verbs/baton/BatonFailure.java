package dev.verbena.verbs.baton;

import org.jspecify.annotations.Nullable;

/// Why threads that pass a baton did not come to their end. Threads that were waiting are among the
/// suppressed exceptions, each with its stack.
public final class BatonFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Kinds of failure.
    public enum Reason {
        /// A thread threw.
        THROWN,
        /// All threads wait, and nothing will ever happen.
        STUCK,
        /// A thread has the baton and does not hand it on.
        HELD,
        /// The limit of virtual time has come.
        TIME_OVER,
        /// The thread that watches was interrupted.
        INTERRUPTED
    }

    private final Reason reason;
    private final String thread;

    BatonFailure(Reason reason, String thread, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.thread = thread;
    }

    public Reason reason() {
        return reason;
    }

    /// The thread that is named, or empty when it is none in particular.
    public String thread() {
        return thread;
    }
}
