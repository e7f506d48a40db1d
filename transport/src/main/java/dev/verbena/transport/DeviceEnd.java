package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.verbs.AsyncEvent;

/// How a device ends: closed by its program, or failed with its carrier.
final class DeviceEnd {
    /// How long a device that closes waits until its last words have left: far longer than it
    /// takes, also where others use the processor.
    private static final long LEAVE_NS = 1_000_000_000;

    private static final long LEAVE_STEP_NS = 1_000_000;

    private DeviceEnd() {}

    /// Notifies the peers of managed connections that they have ended: once, since a closed device
    /// cannot receive their replies.
    static void takeLeave(Engine engine) {
        try (var _ = engine.life.entry.enter()) {
            for (int i = 0; i < engine.pairs.top() && !engine.life.isClosed(); i++) {
                TransportQueuePair pair = engine.pairs.at(i);
                if (pair != null && pair.connection != null) {
                    pair.connection.disconnect();
                }
            }
        }
        Driver driver = engine.settings.driver;
        long endNs = driver.nowNs() + LEAVE_NS;
        while (isLeaving(engine) && driver.nowNs() < endNs) {
            if (!driver.turn()) {
                long untilNs = Math.min(endNs, driver.nowNs() + LEAVE_STEP_NS);
                driver.idle(untilNs, () -> !isLeaving(engine));
            }
        }
    }

    /// Whether something that peers should know has not left yet.
    private static boolean isLeaving(Engine engine) {
        try (var _ = engine.life.entry.enter()) {
            return !engine.life.isOver() && engine.management.mayHaveMore();
        }
    }

    static void closeAll(Engine engine) {
        for (int i = 0; i < engine.pairs.top(); i++) {
            TransportQueuePair pair = engine.pairs.at(i);
            if (pair != null) {
                pair.close();
            }
        }
        engine.shared.closeAll();
        engine.windows.closeAll();
        engine.memory.closeAll();
    }

    /// See [TransportDevice#fail].
    static void fail(Engine engine, Throwable cause) {
        if (engine.life.isOver()) {
            return;
        }
        engine.life.fail(cause);
        try {
            for (int i = 0; i < engine.pairs.top(); i++) {
                TransportQueuePair pair = engine.pairs.at(i);
                if (pair != null) {
                    failWith(pair, cause);
                }
            }
            engine.events.warn(
                    AsyncEvent.Type.DEVICE_FATAL,
                    0,
                    engine.settings.name + " failed and does nothing more: " + cause);
        } finally {
            rouse(engine);
        }
    }

    /// The others fail, and threads are woken, even if this one is broken too.
    private static void failWith(TransportQueuePair pair, Throwable cause) {
        try {
            pair.failWithDevice();
        } catch (RuntimeException | Error broken) {
            if (!broken.equals(cause)) {
                cause.addSuppressed(broken);
            }
        }
    }

    /// Wakes all threads that wait for this device.
    static void rouse(Engine engine) {
        engine.connections.waits.rouse();
        engine.completions.rouse();
    }
}
