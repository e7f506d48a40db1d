package dev.verbena.transport;

/// The way into a device for the calls of a program: `try (var _ = door.enter())`.
///
/// There is one for a device, so that entering makes no object.
final class Door implements AutoCloseable {
    private final Guard guard;
    private final boolean isGuarded;
    private final Notices notices;

    Door(Guard guard, Notices notices) {
        this.guard = guard;
        this.notices = notices;
        this.isGuarded = guard.isShared();
    }

    /// Whether threads may meet at it at all.
    boolean isGuarded() {
        return isGuarded;
    }

    Door enter() {
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
