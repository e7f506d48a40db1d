package dev.verbena.transport;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Something that one thread may wait for while packets move.
abstract class Awaited {
    final TransportDevice device;
    private volatile @Nullable Thread waiter;

    Awaited(TransportDevice device) {
        this.device = device;
    }

    /// Lets the waiting thread check again; called with the guard held.
    final void rouse() {
        Thread waiting = waiter;
        if (waiting != null) {
            device.engine().options.driver.rouse(waiting);
        }
    }

    /// Waits until something is so, which is asked without the guard; returns whether it came to
    /// that in time.
    final boolean await(Duration timeout, BooleanSupplier isDecided) {
        Driver driver = device.engine().options.driver;
        long startNs = driver.nowNs();
        long limitNs = TransportCompletionQueue.saturatedNs(timeout);
        while (!isDecided.getAsBoolean()) {
            boolean moved = driver.turn();
            if (isDecided.getAsBoolean()) {
                break;
            }
            device.requireOpen();
            long waitedNs = driver.nowNs() - startNs;
            if (waitedNs >= limitNs) {
                return false;
            }
            if (!moved) {
                long beforeNs = driver.nowNs();
                long untilNs = startNs + limitNs < startNs ? Long.MAX_VALUE : startNs + limitNs;
                waiter = Thread.currentThread();
                try {
                    // The thread that decides the result looks for the waiting thread afterwards.
                    if (!isDecided.getAsBoolean() && !device.isClosed()) {
                        driver.idle(untilNs);
                    }
                } finally {
                    waiter = null;
                }
                if (untilNs == Long.MAX_VALUE
                        && driver.nowNs() == beforeNs
                        && !isDecided.getAsBoolean()) {
                    // Virtual time stands still where nothing will ever happen.
                    return false;
                }
            }
        }
        return true;
    }
}
