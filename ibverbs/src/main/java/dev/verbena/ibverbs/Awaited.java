package dev.verbena.ibverbs;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/// Something that a thread may wait for, parked, until an event decides it.
class Awaited {
    final IbvDevice device;
    private final Condition changed;

    Awaited(IbvDevice device) {
        this.device = device;
        this.changed = device.context.lock.newCondition();
    }

    /// Lets the waiting thread check again; called with the device's lock held.
    final void rouse() {
        changed.signalAll();
    }

    /// Waits until something is so; returns whether it came to that in time. An interrupt ends the
    /// time, and stays.
    final boolean await(Duration timeout, BooleanSupplier isDecided) {
        return await(timeout, Long.MAX_VALUE, isDecided);
    }

    /// The same for something that no event reports: it is looked at again and again.
    final boolean await(Duration timeout, long stepNs, BooleanSupplier isDecided) {
        device.context.lock.lock();
        try {
            long leftNs = saturatedNs(timeout);
            while (!isDecided.getAsBoolean()) {
                device.requireOpen();
                if (leftNs <= 0) {
                    return false;
                }
                long waitNs = Math.min(leftNs, stepNs);
                leftNs -= waitNs - changed.awaitNanos(waitNs);
            }
            return true;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return isDecided.getAsBoolean();
        } finally {
            device.context.lock.unlock();
        }
    }

    /// A time that is too long to be counted means for ever.
    static long saturatedNs(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException forEver) {
            return Long.MAX_VALUE;
        }
    }
}
