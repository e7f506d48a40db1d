package dev.verbena.transport.connect;

import dev.verbena.transport.common.Waiters;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Something that threads may wait for while packets move.
class Awaited {
    final Connections connections;
    private final Waiters waiters;

    Awaited(Connections connections) {
        this.connections = connections;
        this.waiters = new Waiters(connections.device);
    }

    /// Lets the waiting threads check again; called with the guard held.
    final void rouse() {
        waiters.rouse();
    }

    /// Waits until something is so; returns whether it came to that in time, without an interrupt.
    final boolean await(Duration timeout, BooleanSupplier isDecided) {
        return await(connections.device.nowNs(), Waiters.saturatedNs(timeout), isDecided);
    }

    /// The same for a wait that has begun before.
    final boolean await(long startNs, long limitNs, BooleanSupplier isDecided) {
        Thread self = Thread.currentThread();
        connections.waits.add(self);
        try {
            return waiters.await(startNs, limitNs, isDecided);
        } finally {
            connections.waits.remove(self);
        }
    }
}
