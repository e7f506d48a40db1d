package dev.verbena.transport.common;

import dev.verbena.transport.carrier.Guard;

/// The way into a device for the calls of a program: `try (var _ = entry.enter())`.
///
/// There is one for a device, so that entering makes no object.
public final class GuardedEntry implements AutoCloseable {
    private final Guard guard;
    private final Notices notices;

    public GuardedEntry(Guard guard, Notices notices) {
        this.guard = guard;
        this.notices = notices;
    }

    /// Whether a thread may have to be woken.
    public boolean isGuarded() {
        return guard.isShared();
    }

    /// See [Guard#beginWait].
    void beginWait() {
        guard.beginWait();
    }

    void endWait() {
        guard.endWait();
    }

    public GuardedEntry enter() {
        guard.enter();
        return this;
    }

    @Override
    public void close() {
        try {
            notices.deliver();
        } finally {
            guard.exit();
        }
    }
}
