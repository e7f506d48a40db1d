package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import java.util.concurrent.locks.LockSupport;

/// Driven by a thread of its own, so that the passive target of one-sided operations responds while
/// its program does other work.
///
/// The thread spins for a short while after an event, then sleeps. A thread that posts while it
/// sleeps sends the packets itself: the carrier's thread need not be woken for that.
final class ThreadCarrier extends Carrier implements Runnable {
    /// How long the thread spins before it sleeps: about the cost of sleeping and waking.
    private static final long SPIN_NS = 20_000;

    /// Written with the lock held, by the thread itself and by the thread that wakes it.
    private boolean isAsleep;

    private long asleepUntilNs;

    ThreadCarrier(RoceSettings settings, Datagrams datagrams, int scope) {
        super(settings, datagrams, scope);
    }

    @Override
    void start(TransportDevice made) {
        super.start(made);
        Thread.ofPlatform().daemon().name("verbena " + this).start(this);
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
            boolean moved;
            long untilNs = 0;
            long nowNs;
            lock.enter();
            try {
                if (isClosed || isBroken) {
                    return;
                }
                isAsleep = false;
                moved = turnOnce();
                nowNs = turnNs();
                if (!moved && nowNs - quietSinceNs > SPIN_NS) {
                    isAsleep = true;
                    untilNs = dueNs();
                    asleepUntilNs = untilNs;
                }
            } finally {
                lock.exit();
            }
            if (moved) {
                quietSinceNs = nowNs;
            }
            if (untilNs != 0) {
                // An interrupt, which a listener may have set, means nothing to this thread.
                Thread.interrupted();
                datagrams.await(untilNs - nowNs);
                quietSinceNs = nowNs();
            } else {
                lock.letOthersIn();
            }
        }
    }

    @Override
    public boolean turn() {
        // The carrier's thread does the work; a spinning thread should leave it the other half of
        // the processor.
        Thread.onSpinWait();
        return false;
    }

    @Override
    public void idle(long deadlineNs) {
        LockSupport.parkNanos(this, Math.max(0, deadlineNs - nowNs()));
    }

    @Override
    public void rouse(Thread waiter) {
        LockSupport.unpark(waiter);
    }

    @Override
    public void wake() {
        if (!isAsleep || isClosed) {
            return;
        }
        if (sendNow() || device().pollTimeout() < asleepUntilNs) {
            isAsleep = false;
            datagrams.wake();
        }
    }

    @Override
    String progress() {
        return "driven by a thread of its own";
    }
}
