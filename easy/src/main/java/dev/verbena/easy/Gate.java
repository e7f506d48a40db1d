package dev.verbena.easy;

import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// A lock, and the threads that wait until something it guards has changed.
///
/// The lock is never held during a wait or a call of a device that waits, so that a thread in
/// virtual time never meets it locked.
final class Gate {
    final Waits waits;
    private final ReentrantLock lock = new ReentrantLock();

    Gate(Waits waits) {
        this.waits = waits;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
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
        lock.unlock();
        try {
            waits.pause(deadlineNs, isOver);
        } finally {
            lock.lock();
            among.remove(self);
        }
    }

    /// Lets the threads of a list look again; with the lock held, after the change.
    void wake(ArrayDeque<Thread> among) {
        for (Thread thread : among) {
            waits.wake(thread);
        }
    }
}
