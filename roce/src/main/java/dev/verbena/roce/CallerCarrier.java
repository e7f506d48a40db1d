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

    /// How long a thread looks in vain before it lets others run between two looks: the peer may
    /// have no other processor than this one, and then it could not answer.
    private static final long ALONE_NS = 5_000;

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
            if (moved) {
                leaves();
            }
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
            leads = leads(self);
            if (!leads) {
                follows(self);
            }
        } finally {
            lock.exit();
        }
        if (leads || follow(self, deadlineNs, isDone)) {
            lead(deadlineNs, isDone);
        }
    }

    /// Takes the lead, if the thread can and no other has it.
    private boolean leads(Thread self) {
        if (leader != null || self.isVirtual() || !mayLead()) {
            return false;
        }
        leader = self;
        return true;
    }

    /// Whether a thread of the program can wait for packets.
    boolean mayLead() {
        return true;
    }

    /// Drives the device until the thread has its result, or must not wait any longer.
    private void lead(long deadlineNs, BooleanSupplier isDone) {
        try {
            while (!looks(deadlineNs, isDone)) {
                if (leaderMaySleep(deadlineNs, isDone)) {
                    long sinceNs = nowNs();
                    datagrams.await(Datagrams.LEADER, leaderUntilNs - sinceNs);
                    spin.slept(nowNs() - sinceNs);
                    wokeUp();
                }
            }
        } finally {
            lock.enter();
            try {
                leader = null;
                isLeaderAsleep = false;
                drivenNs = nowNs();
                sendsWhatIsOwed();
                leaderLeft();
            } finally {
                lock.exit();
            }
        }
    }

    /// Looks for packets without sleeping; returns whether the thread should stop waiting.
    private boolean looks(long deadlineNs, BooleanSupplier isDone) {
        long sinceNs = nowNs();
        long nowNs = sinceNs;
        boolean moved;
        do {
            moved = turn();
            if (moved) {
                sinceNs = nowNs;
            }
            if (isOver() || isDone.getAsBoolean() || nowNs >= deadlineNs) {
                return true;
            }
            if (Thread.currentThread().isInterrupted()) {
                return true;
            }
            lock.letOthersIn(yielding);
            if (!moved && nowNs - sinceNs > ALONE_NS && !yielding.tryYield()) {
                return false;
            }
            nowNs = nowNs();
        } while (moved || spin.lasts(nowNs - sinceNs));
        return false;
    }

    /// Goes to sleep, unless something came since it looked: what another thread posts meanwhile
    /// wakes no thread, because the leader seems to be awake.
    private boolean leaderMaySleep(long deadlineNs, BooleanSupplier isDone) {
        lock.enter();
        try {
            if (isOver() || isDone.getAsBoolean() || hasMore() || hasToSend()) {
                return false;
            }
            isLeaderAsleep = true;
            leaderUntilNs = Math.min(deadlineNs, dueNs());
            return true;
        } finally {
            lock.exit();
        }
    }

    /// The program may not come back for long, and no other thread acknowledges what it has
    /// received.
    void sendsWhatIsOwed() {
        if (hasToSend() && !isOver()) {
            sendNow();
        }
    }

    private void wokeUp() {
        lock.enter();
        isLeaderAsleep = false;
        lock.exit();
    }

    /// The leader has stopped waiting: another thread that waits must lead. Called with the lock
    /// held, as the following.
    void leaderLeft() {
        var next = followers.iterator();
        if (next.hasNext()) {
            LockSupport.unpark(next.next());
        }
    }

    /// A thread is about to sleep until it is roused.
    void follows(Thread thread) {
        if (!thread.isVirtual()) {
            followers.add(thread);
        }
    }

    /// Sleeps until it is roused, or has to lead; returns whether it leads.
    boolean follow(Thread self, long deadlineNs, BooleanSupplier isDone) {
        if (self.isVirtual()) {
            LockSupport.parkNanos(this, Math.min(deadlineNs - nowNs(), NAP_NS));
            return false;
        }
        LockSupport.parkNanos(this, deadlineNs - nowNs());
        lock.enter();
        try {
            followers.remove(self);
            if (leader != null) {
                return false;
            }
            if (isOver()
                    || isDone.getAsBoolean()
                    || self.isInterrupted()
                    || nowNs() >= deadlineNs) {
                // It may have been chosen to lead: so it chooses another.
                leaderLeft();
                return false;
            }
            return leads(self);
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

    /// A thread that may not make another turn has left packets, or a deadline: a thread that
    /// sleeps would notice neither.
    void leaves() {
        if (isLeaderAsleep && isTooLate(leaderUntilNs)) {
            wakeLeader();
        }
    }

    /// Whether a thread that sleeps until then would miss something.
    final boolean isTooLate(long untilNs) {
        return hasMore() || hasToSend() || dueNs() < untilNs;
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
