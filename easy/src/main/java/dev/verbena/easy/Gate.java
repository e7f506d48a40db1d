package dev.verbena.easy;

import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A lock, and the threads that wait until something it guards has changed.
///
/// The lock is never held during a wait or a call of a device that waits, so that a thread in
/// virtual time never meets it locked.
final class Gate {
    final Waits waits;
    private final ReentrantLock lock = new ReentrantLock();

    /// Threads to wake when the lock is free: woken before, each would only meet the lock.
    private @Nullable Thread due;

    private final ArrayDeque<Thread> dueToo = new ArrayDeque<>();

    Gate(Waits waits) {
        this.waits = waits;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        if (due == null || lock.getHoldCount() > 1) {
            lock.unlock();
        } else if (dueToo.isEmpty()) {
            Thread only = due;
            due = null;
            lock.unlock();
            waits.wake(only);
        } else {
            unlockAndWakeAll();
        }
    }

    private void unlockAndWakeAll() {
        List<Thread> all = new ArrayList<>(dueToo);
        all.add(Objects.requireNonNull(due, "others are due after one"));
        due = null;
        dueToo.clear();
        lock.unlock();
        all.forEach(waits::wake);
    }

    boolean isHeld() {
        return lock.isHeldByCurrentThread();
    }

    /// Waits until something is so, with the lock held before and after; returns whether it is.
    ///
    /// @param among the list on which [#wake] finds the thread
    /// @throws InterruptedIOException when the thread is interrupted, which stays set
    boolean await(ArrayDeque<Thread> among, long deadlineNs, BooleanSupplier isOver)
            throws InterruptedIOException {
        while (!isOver.getAsBoolean()) {
            if (waits.nowNs() >= deadlineNs) {
                return false;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("the thread was interrupted while it waited");
            }
            pause(among, deadlineNs, isOver);
        }
        return true;
    }

    /// The thread is on the list before the lock is free, so no change escapes it.
    private void pause(ArrayDeque<Thread> among, long deadlineNs, BooleanSupplier isOver) {
        Thread self = Thread.currentThread();
        among.addLast(self);
        unlock();
        try {
            waits.pause(deadlineNs, isOver);
        } finally {
            lock.lock();
            among.remove(self);
        }
    }

    /// Lets the threads of a list look again, once the lock is free; with the lock held, after the
    /// change.
    void wake(ArrayDeque<Thread> among) {
        for (Thread thread : among) {
            if (due == null) {
                due = thread;
            } else if (!due.equals(thread) && !dueToo.contains(thread)) {
                dueToo.addLast(thread);
            }
        }
    }
}
