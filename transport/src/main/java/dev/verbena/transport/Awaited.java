package dev.verbena.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Something that one thread may wait for while packets move.
abstract class Awaited {
    final TransportDevice device;
    private volatile @Nullable Thread waiter;

    Awaited(TransportDevice device) {
        this.device = device;
    }

    /// Lets whoever waits look again; called with the guard held.
    final void rouse() {
        Thread waiting = waiter;
        if (waiting != null) {
            device.engine().options.driver.rouse(waiting);
        }
    }

    /// Whether there is nothing to wait for any more; asked without the guard.
    abstract boolean isDecided();

    /// Waits; returns whether it was decided in time.
    final boolean awaitDecision(Duration timeout) {
        Driver driver = device.engine().options.driver;
        long startNs = driver.nowNs();
        long limitNs = saturatedNs(timeout);
        while (!isDecided()) {
            boolean moved = driver.turn();
            if (isDecided()) {
                break;
            }
            device.requireOpen();
            long waitedNs = driver.nowNs() - startNs;
            if (waitedNs >= limitNs) {
                return false;
            }
            if (!moved) {
                long untilNs = startNs + limitNs < startNs ? Long.MAX_VALUE : startNs + limitNs;
                waiter = Thread.currentThread();
                try {
                    // Whoever decides it looks for the waiter afterwards.
                    if (!isDecided() && !device.isClosed()) {
                        driver.idle(untilNs);
                    }
                } finally {
                    waiter = null;
                }
            }
        }
        return true;
    }

    private static long saturatedNs(Duration timeout) {
        return timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0
                ? Long.MAX_VALUE
                : timeout.toNanos();
    }
}
