package dev.verbena.transport;

/// Keeps two threads from being in a device at once.
///
/// A device is written by one thread at a time. Where a program has several, or the carrier has one
/// of its own, a lock makes it so: what a program calls enters the guard by itself, and the carrier
/// holds it around its own calls.
public interface Guard {
    /// For a device that belongs to one thread.
    Guard NONE =
            new Guard() {
                @Override
                public void enter() {}

                @Override
                public void exit() {}
            };

    /// Waits until no other thread is inside. Who is inside already may enter again, and exits as
    /// often.
    void enter();

    void exit();
}
