package dev.verbena.transport;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Something that threads may wait for while packets move.
abstract class Awaited {
    final TransportDevice device;
    private final Waiters waiters;

    Awaited(TransportDevice device) {
        this.device = device;
        this.waiters = new Waiters(device);
    }

    /// Lets the waiting threads check again; called with the guard held.
    final void rouse() {
        waiters.rouse();
    }

    /// Waits until something is so; returns whether it came to that in time, without an interrupt.
    final boolean await(Duration timeout, BooleanSupplier isDecided) {
        return await(device.nowNs(), Waiters.saturatedNs(timeout), isDecided);
    }

    /// The same for a wait that has begun before.
    final boolean await(long startNs, long limitNs, BooleanSupplier isDecided) {
        Thread self = Thread.currentThread();
        device.managementWaits.add(self);
        try {
            return waiters.await(startNs, limitNs, isDecided);
        } finally {
            device.managementWaits.remove(self);
        }
    }
}
