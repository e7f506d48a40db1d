package dev.verbena.roce;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Driven by the polling thread: packets move only while a program polls, without a second thread
/// in between.
final class CallerCarrier extends Carrier {
    /// How long a wait spins before it sleeps: about the cost of sleeping and waking.
    private static final long SPIN_NS = 20_000;

    /// How long a virtual thread sleeps before it looks for packets: it cannot wait in a system
    /// call without keeping a thread of the system from other virtual threads.
    private static final long NAP_NS = 200_000;

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
        boolean spins;
        lock.enter();
        try {
            spins = isRoused() || isClosed || nowNs - movedAtNs < SPIN_NS;
            untilNs = Math.min(deadlineNs, device().pollTimeout());
            if (!spins && !Thread.currentThread().isVirtual()) {
                sleepers++;
            }
        } finally {
            lock.exit();
        }
        if (spins) {
            spin();
            return;
        }
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(this, Math.min(untilNs - nowNs, NAP_NS));
            return;
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

    /// A virtual thread gives the others on its processor their turn.
    @SuppressWarnings("ThreadPriorityCheck")
    private static void spin() {
        if (Thread.currentThread().isVirtual()) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
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
            if (waiter.isVirtual()) {
                LockSupport.unpark(waiter);
                return;
            }
            roused.add(waiter);
            wake();
        }
    }

    @Override
    String progress() {
        return "driven by its callers";
    }
}
