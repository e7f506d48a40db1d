package dev.verbena.roce;

import java.util.HashSet;
import java.util.Set;

/// Driven by the polling thread: packets move only while a program polls, without a second thread
/// in between.
final class CallerCarrier extends Carrier {
    /// How long a wait spins before it sleeps: about the cost of sleeping and waking.
    private static final long SPIN_NS = 20_000;

    private long movedAtNs = nowNs();
    private int sleepers;

    /// Threads whose result is there, and that may not have begun to wait.
    private final Set<Thread> roused = new HashSet<>();

    CallerCarrier(RoceSettings settings, Datagrams datagrams, int scope) {
        super(settings, datagrams, scope);
    }

    @Override
    public boolean turn() {
        if (!lock.tryEnter()) {
            // Another thread drives it at this moment.
            return false;
        }
        try {
            boolean moved = turnOnce();
            if (moved) {
                movedAtNs = turnNs();
            }
            return moved;
        } finally {
            lock.exit();
        }
    }

    @Override
    public void idle(long deadlineNs) {
        long nowNs = nowNs();
        long untilNs;
        lock.enter();
        try {
            if (isClosed || nowNs - movedAtNs < SPIN_NS || isRoused()) {
                Thread.onSpinWait();
                return;
            }
            untilNs = Math.min(deadlineNs, device().pollTimeout());
            sleepers++;
        } finally {
            lock.exit();
        }
        datagrams.await(untilNs - nowNs);
        lock.enter();
        try {
            sleepers--;
            isRoused();
        } finally {
            lock.exit();
        }
    }

    private boolean isRoused() {
        return !roused.isEmpty() && roused.remove(Thread.currentThread());
    }

    @Override
    public void wake() {
        if (sleepers > 0) {
            datagrams.wake();
        }
    }

    @Override
    public void rouse(Thread waiter) {
        if (!waiter.equals(Thread.currentThread())) {
            roused.add(waiter);
            wake();
        }
    }

    @Override
    String progress() {
        return "driven by its callers";
    }
}
