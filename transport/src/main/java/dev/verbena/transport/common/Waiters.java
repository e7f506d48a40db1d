package dev.verbena.transport.common;

import dev.verbena.transport.carrier.Driver;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The threads that wait for one thing while packets move: usually one, for which waiting makes no
/// object.
public final class Waiters {
    private final DeviceLife device;
    private volatile @Nullable Thread first;
    private volatile @Nullable Set<Thread> others;

    public Waiters(DeviceLife device) {
        this.device = device;
    }

    /// Lets the waiting threads look again; called with the guard held, after the change that they
    /// wait for can be seen.
    public void rouse() {
        Driver driver = device.driver;
        Thread one = first;
        if (one != null) {
            driver.rouse(one);
        }
        Set<Thread> more = others;
        if (more != null && !more.isEmpty()) {
            more.forEach(driver::rouse);
        }
    }

    /// Waits until something is so, which is asked without the guard; returns whether it came to
    /// that in time. An interrupt ends the wait at once, and stays set.
    ///
    /// @param startNs when the wait began, by the carrier's clock
    /// @param limitNs how long it may take from then on
    public boolean await(long startNs, long limitNs, BooleanSupplier isDecided) {
        device.entry.beginWait();
        try {
            return look(startNs, limitNs, isDecided);
        } finally {
            device.entry.endWait();
        }
    }

    private boolean look(long startNs, long limitNs, BooleanSupplier isDecided) {
        Driver driver = device.driver;
        long untilNs = startNs + limitNs < startNs ? Long.MAX_VALUE : startNs + limitNs;
        while (!isDecided.getAsBoolean()) {
            boolean moved = driver.turn();
            if (isDecided.getAsBoolean()) {
                break;
            }
            device.requireOpen();
            if (driver.nowNs() - startNs >= limitNs || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (!moved) {
                long beforeNs = driver.nowNs();
                idle(driver, untilNs, isDecided);
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

    /// The thread that decides the result looks for waiting threads afterwards, and this one looks
    /// at the result after it has been added to them: one of the two sees the other.
    private void idle(Driver driver, long untilNs, BooleanSupplier isDecided) {
        Thread self = Thread.currentThread();
        add(self);
        try {
            VarHandle.fullFence();
            if (!isDecided.getAsBoolean() && !device.isOver()) {
                driver.idle(untilNs, isDecided);
            }
        } finally {
            remove(self);
        }
    }

    public synchronized void add(Thread thread) {
        if (first == null) {
            first = thread;
            return;
        }
        Set<Thread> more = others;
        if (more == null) {
            more = ConcurrentHashMap.newKeySet();
            others = more;
        }
        more.add(thread);
    }

    public synchronized void remove(Thread thread) {
        if (thread.equals(first)) {
            first = null;
        } else if (others != null) {
            others.remove(thread);
        }
    }

    /// As many nanoseconds as there are numbers for.
    public static long saturatedNs(Duration timeout) {
        try {
            return Math.max(0, timeout.toNanos());
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }
}
