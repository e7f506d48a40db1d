package dev.verbena.transport.common;

import dev.verbena.transport.carrier.Guard;

/// The way into a device for the calls of a program: `try (var _ = entry.enter())`.
///
/// There is one for a device, so that entering makes no object.
public final class GuardedEntry implements AutoCloseable {
    private final Guard guard;
    private final boolean isGuarded;
    private final Notices notices;

    public GuardedEntry(Guard guard, Notices notices) {
        this.guard = guard;
        this.notices = notices;
        this.isGuarded = guard.isShared();
    }

    /// Whether threads may meet at it at all.
    public boolean isGuarded() {
        return isGuarded;
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
