package dev.verbena.verbs.spi;

import dev.verbena.verbs.Device;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// A wait for anything, by a thread that drives the device meanwhile. An event loop waits so for
/// completions of several queues and for tasks of other threads at once.
///
/// A thread that sleeps by other means, such as `LockSupport.park`, leaves the packets of a
/// software device to another thread, and has to be woken by that thread for each of them.
public interface DrivenWait {
    /// Waits until the condition is true, at most so long; may return early. An interrupt ends the
    /// wait, and stays set.
    ///
    /// @param isOver asked by the thread that waits, perhaps inside the device: it must not use the
    ///   device, and must not wait
    /// @throws dev.verbena.verbs.ClosedException when the device is closed
    void await(long ns, BooleanSupplier isOver);

    /// Lets the waiting threads ask for their condition again, after it has changed. Any thread may
    /// call it, also in a listener of a completion queue.
    void wake();

    /// A new one for a device, if the device can be driven so.
    static Optional<DrivenWait> of(Device device) {
        return device instanceof Offering offering ? offering.drivenWait() : Optional.empty();
    }

    /// A device that threads may drive while they wait.
    interface Offering {
        Optional<DrivenWait> drivenWait();
    }
}
