package dev.verbena.transport.carrier;

/// Keeps two threads from being in a device at once.
///
/// One thread at a time may change a device. Where a program has several threads, or the carrier
/// has its own, a lock ensures this: calls of a program enter the guard themselves, and the carrier
/// holds it around its own calls.
public interface Guard {
    /// For a device that belongs to one thread.
    Guard NONE =
            new Guard() {
                @Override
                public void enter() {}

                @Override
                public void exit() {}

                @Override
                public boolean isShared() {
                    return false;
                }
            };

    /// Whether several threads may be about to enter, so that one may have to be woken.
    default boolean isShared() {
        return true;
    }

    /// Waits until no other thread is inside. A thread that is inside may enter again, and must
    /// exit as often.
    void enter();

    void exit();

    /// A thread begins a call that waits, and enters and exits many times until it has its result.
    /// A guard that refuses others keeps them out all the time.
    default void beginWait() {}

    /// The call that waits is over.
    default void endWait() {}
}
