package dev.verbena.roce;

import dev.verbena.transport.Guard;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// Keeps two threads from being in a device at once, and lets the one that is in it for long know
/// that others want to.
final class DeviceLock implements Guard {
    /// Tries before a thread goes to sleep: a turn of the device takes a few microseconds.
    private static final int TRIES = 100;

    private static final int YIELDS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger waiting = new AtomicInteger();

    @Override
    public void enter() {
        if (!lock.tryLock()) {
            enterLater();
        }
    }

    private void enterLater() {
        waiting.incrementAndGet();
        try {
            for (int i = 0; i < TRIES; i++) {
                if (lock.tryLock()) {
                    return;
                }
                Thread.onSpinWait();
            }
            lock.lock();
        } finally {
            waiting.decrementAndGet();
        }
    }

    boolean tryEnter() {
        return lock.tryLock();
    }

    @Override
    public void exit() {
        lock.unlock();
    }

    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    /// Lets others in first, for a while; called without the lock by who takes it again and again.
    @SuppressWarnings("ThreadPriorityCheck") // who waits may have no other processor to run on
    void letOthersIn() {
        for (int i = 0; i < YIELDS && waiting.get() > 0; i++) {
            Thread.yield();
        }
    }
}
