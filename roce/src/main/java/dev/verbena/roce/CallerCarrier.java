package dev.verbena.roce;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Driven by its callers: packets move only while a program polls or waits, without a second thread
/// in between.
///
/// Of the threads that wait, one leads: it looks for packets, first without sleeping, then in a
/// system call that ends when one comes. The others follow: they sleep until they have their
/// result, or until they must lead because the leader has its own.
class CallerCarrier extends Carrier {
    /// How long a virtual thread sleeps before it looks for packets: it cannot wait in a system
    /// call without keeping a thread of the system from other virtual threads.
    private static final long NAP_NS = 200_000;

    /// For the thread that leads; another may have its own.
    private final Spin spin;

    // All of the following is used with the lock held.

    @Nullable Thread leader;

    /// Whether the leader is in a system call, or about to be, and must be woken.
    boolean isLeaderAsleep;

    /// When the leader wakes by itself.
    private long leaderUntilNs;

    /// When a thread of the program last moved packets; one that cannot lead does not count.
    long drivenNs = nowNs();

    private final Set<Thread> followers = new LinkedHashSet<>();

    CallerCarrier(RoceSettings settings, Datagrams datagrams, int scope) {
        super(settings, datagrams, scope);
        spin = new Spin(settings.spinNs());
    }

    @Override
    public boolean turn() {
        if (!lock.tryEnter()) {
            // Another thread drives it at this moment.
            Thread.onSpinWait();
            return false;
        }
        try {
            boolean moved = turnOnce();
            if (!Thread.currentThread().isVirtual()) {
                drivenNs = turnNs();
            }
            return moved;
        } finally {
            lock.exit();
        }
    }

    @Override
    public final void idle(long deadlineNs, BooleanSupplier isDone) {
        Thread self = Thread.currentThread();
        boolean leads;
        lock.enter();
        try {
            if (isOver() || isDone.getAsBoolean()) {
                return;
            }
            leads = leader == null && !self.isVirtual() && mayLead();
            if (leads) {
                leader = self;
            } else {
                follows(self);
            }
        } finally {
            lock.exit();
        }
        if (leads) {
            lead(deadlineNs, isDone);
        } else {
            follow(self, deadlineNs);
        }
    }

    /// Whether a thread of the program can wait for packets.
    boolean mayLead() {
        return true;
    }

    private void lead(long deadlineNs, BooleanSupplier isDone) {
        try {
            if (!looks(deadlineNs, isDone) && leaderMaySleep(deadlineNs, isDone)) {
                long sinceNs = nowNs();
                datagrams.await(Datagrams.LEADER, leaderUntilNs - sinceNs);
                spin.slept(nowNs() - sinceNs);
            }
        } finally {
            lock.enter();
            try {
                leader = null;
                isLeaderAsleep = false;
                leaderLeft();
            } finally {
                lock.exit();
            }
        }
    }

    /// Looks for packets without sleeping; returns whether there was something to look at.
    private boolean looks(long deadlineNs, BooleanSupplier isDone) {
        long sinceNs = nowNs();
        for (long nowNs = sinceNs; spin.lasts(nowNs - sinceNs); nowNs = nowNs()) {
            boolean moved = turn();
            if (moved || nowNs >= deadlineNs || isOver() || isDone.getAsBoolean()) {
                return true;
            }
            if (Thread.currentThread().isInterrupted()) {
                return true;
            }
            lock.letOthersIn();
        }
        return false;
    }

    private boolean leaderMaySleep(long deadlineNs, BooleanSupplier isDone) {
        lock.enter();
        try {
            if (isOver() || isDone.getAsBoolean()) {
                return false;
            }
            isLeaderAsleep = true;
            leaderUntilNs = Math.min(deadlineNs, dueNs());
            return true;
        } finally {
            lock.exit();
        }
    }

    /// The leader has stopped waiting, with the lock held.
    void leaderLeft() {
        drivenNs = nowNs();
        var next = followers.iterator();
        if (next.hasNext()) {
            LockSupport.unpark(next.next());
        }
    }

    /// A thread is about to sleep until it is roused, with the lock held.
    void follows(Thread thread) {
        if (!thread.isVirtual()) {
            followers.add(thread);
        }
    }

    /// Sleeps until it is roused, or has to lead.
    void follow(Thread self, long deadlineNs) {
        if (self.isVirtual()) {
            LockSupport.parkNanos(this, Math.min(deadlineNs - nowNs(), NAP_NS));
            return;
        }
        LockSupport.parkNanos(this, deadlineNs - nowNs());
        lock.enter();
        try {
            followers.remove(self);
        } finally {
            lock.exit();
        }
    }

    private boolean isOver() {
        return isClosed || isBroken;
    }

    /// Where a leader sleeps, the thread that posts sends by itself; the leader is woken only if it
    /// would sleep too long.
    @Override
    public void wake() {
        if (isLeaderAsleep && !isClosed && (sendNow() || dueNs() < leaderUntilNs)) {
            wakeLeader();
        }
    }

    private void wakeLeader() {
        isLeaderAsleep = false;
        datagrams.wake(Datagrams.LEADER);
    }

    @Override
    public final void rouse(Thread waiter) {
        if (!waiter.equals(leader)) {
            LockSupport.unpark(waiter);
        } else if (isLeaderAsleep) {
            wakeLeader();
        }
    }

    @Override
    String progress() {
        return "driven by its callers";
    }
}
