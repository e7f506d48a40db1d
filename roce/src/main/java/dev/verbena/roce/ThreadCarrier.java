package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Driven by a thread of its own while the program does other work, so that the passive target of
/// one-sided operations responds.
///
/// A thread of the program that waits or polls drives the device itself meanwhile: to wake it would
/// take longer than what there is to do. The carrier's thread then steps aside, and looks from time
/// to time whether the program still does. Two threads never look for packets at once.
final class ThreadCarrier extends CallerCarrier implements Runnable {
    /// A program that moved packets so recently is taken to go on with it.
    private static final long RECENT_NS = 200_000;

    /// How long the thread steps aside before it looks again: at first, and when the program goes
    /// on and on.
    private static final long ASIDE_NS = 50_000;

    private static final long ASIDE_MAX_NS = 400_000;

    private final Spin spin;
    private @Nullable Thread own;

    // All of the following is used with the lock held.

    /// Whether the thread is in a system call, or about to be, and must be woken.
    private boolean isAsleep;

    private long untilNs;
    private long asideNs = ASIDE_NS;

    /// Whether the thread has left the device to others.
    private boolean isAside;

    /// Whether it sleeps as long as the present leader leads.
    private boolean isLed;

    ThreadCarrier(RoceSettings settings, Datagrams datagrams, int scope) {
        super(settings, datagrams, scope);
        spin = new Spin(settings.spinNs());
    }

    @Override
    void start(TransportDevice made) {
        super.start(made);
        own = Thread.ofPlatform().daemon().name("verbena " + this).start(this);
    }

    /// Peers are answered even if the program refers to nothing of the device.
    @Override
    public void reachable(boolean isReachable) {
        kept = isReachable && !isClosed && !isBroken ? device() : null;
    }

    @Override
    public void run() {
        long quietSinceNs = nowNs();
        while (true) {
            boolean moved = false;
            boolean leaves;
            boolean sleeps;
            long nowNs;
            lock.enter();
            try {
                if (isClosed || isBroken) {
                    return;
                }
                nowNs = nowNs();
                isAsleep = false;
                isLed = false;
                isAside = isDriven(nowNs);
                asideNs = isAside ? Math.min(2 * asideNs, ASIDE_MAX_NS) : ASIDE_NS;
                untilNs = nowNs + asideNs;
                if (!isAside) {
                    moved = turnOnce();
                    decide(moved, nowNs - quietSinceNs);
                }
                leaves = isAside;
                sleeps = isAsleep;
            } finally {
                lock.exit();
            }
            if (leaves || sleeps) {
                sleep(sleeps, nowNs);
                quietSinceNs = nowNs();
            } else {
                quietSinceNs = moved ? nowNs : quietSinceNs;
                lock.letOthersIn(yielding);
            }
        }
    }

    /// Whether a thread of the program looks for packets, or will do so soon.
    private boolean isDriven(long nowNs) {
        return (leader != null && !isLeaderAsleep) || nowNs - drivenNs < RECENT_NS;
    }

    /// What the thread does after a turn.
    private void decide(boolean moved, long quietNs) {
        if (moved) {
            return;
        }
        if (leader != null) {
            isAside = true;
            isLed = true;
            untilNs = dueNs();
        } else if (!spin.lasts(quietNs)) {
            isAsleep = true;
            untilNs = dueNs();
        }
    }

    private void sleep(boolean forPackets, long sinceNs) {
        // An interrupt, which a listener may have set, means nothing to this thread.
        Thread.interrupted();
        if (forPackets) {
            datagrams.await(Datagrams.OWN_THREAD, untilNs - sinceNs);
            spin.slept(nowNs() - sinceNs);
        } else {
            LockSupport.parkNanos(this, untilNs - sinceNs);
        }
    }

    /// What ends the device reaches every thread by its failure, not only the one that met it.
    @Override
    public boolean turn() {
        try {
            return super.turn();
        } catch (Throwable broken) {
            return true;
        }
    }

    @Override
    boolean mayLead() {
        return datagrams.seats() > 1;
    }

    /// Its thread does that soon, if the program does not send first: then both leave together.
    @Override
    void sendsWhatIsOwed() {}

    @Override
    void leaderLeft() {
        if (isLed) {
            isLed = false;
            LockSupport.unpark(own);
        } else {
            leaves();
        }
    }

    @Override
    void follows(Thread thread) {
        if (leader == null) {
            drivenNs = nowNs() - RECENT_NS;
            if (isAside) {
                LockSupport.unpark(own);
            }
        }
    }

    @Override
    boolean follow(Thread self, long deadlineNs, BooleanSupplier isDone) {
        LockSupport.parkNanos(this, deadlineNs - nowNs());
        return false;
    }

    /// Where no thread looks, the thread that posts sends by itself: no other need be woken for
    /// that.
    @Override
    public void wake() {
        if (isLeaderAsleep) {
            super.wake();
        } else if (leader == null && !isClosed && (isAside || isAsleep)) {
            boolean isLate = sendNow() || dueNs() < untilNs;
            if (isLate && isAsleep) {
                isAsleep = false;
                datagrams.wake(Datagrams.OWN_THREAD);
            }
        }
    }

    @Override
    void leaves() {
        super.leaves();
        // It may have slept since before the leader came.
        if (leader == null && isAsleep && isTooLate(untilNs)) {
            isAsleep = false;
            datagrams.wake(Datagrams.OWN_THREAD);
        }
    }

    @Override
    public void closed() {
        super.closed();
        LockSupport.unpark(own);
    }

    @Override
    String progress() {
        return "driven by a thread of its own, and by threads that wait";
    }
}
