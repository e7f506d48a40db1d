package dev.verbena.roce;

import dev.verbena.transport.carrier.Guard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps two threads from being in a device at once, and shows a thread that holds it for long that
/// others wait.
///
/// A program enters it several times for each request that it posts, nearly always without
/// contention: that is one compare-and-exchange of a word. A thread that finds it locked spins,
/// then sleeps for short times; so no thread has to wake it, and leaving needs no further work.
final class DeviceLock implements Guard {
    private static final VarHandle OWNER;

    /// Tries before a thread goes to sleep: a turn of the device takes a few microseconds.
    private static final int TRIES = 200;

    private static final long SLEEP_NS = 20_000;
    private static final int YIELDS = 64;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(DeviceLock.class, "owner", Thread.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private volatile @Nullable Thread owner;

    /// How often the owner has entered beyond the first time.
    private int again;

    private volatile boolean isAbandoned;

    private final AtomicInteger waiting = new AtomicInteger();

    @Override
    public void enter() {
        if (!tryEnter()) {
            enterLater();
        }
    }

    /// An interrupt would end every sleep at once: virtual threads that are interrupted would keep
    /// their carriers busy, and one that holds this lock would never run again. So it is put aside.
    private void enterLater() {
        waiting.incrementAndGet();
        boolean isInterrupted = false;
        int tries = 0;
        while (!tryEnter()) {
            if (tries < TRIES) {
                tries++;
                Thread.onSpinWait();
            } else {
                isInterrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, SLEEP_NS);
                takeFromTheDead();
            }
        }
        waiting.decrementAndGet();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// A thread may end inside, where its stack has: what it did is half done.
    private void takeFromTheDead() {
        Thread inside = owner;
        if (inside != null && !inside.isAlive() && OWNER.compareAndSet(this, inside, null)) {
            again = 0;
            isAbandoned = true;
        }
    }

    /// Whether a thread has ended inside: nothing of the device can be relied on.
    boolean isAbandoned() {
        return isAbandoned;
    }

    @SuppressWarnings("ReferenceEquality") // a thread is itself and no other
    boolean tryEnter() {
        Thread self = Thread.currentThread();
        if (OWNER.compareAndSet(this, null, self)) {
            return true;
        }
        if (owner == self) {
            again++;
            return true;
        }
        return false;
    }

    @Override
    public void exit() {
        assert Thread.currentThread().equals(owner) : "only the owner can leave";
        if (again > 0) {
            again--;
        } else {
            // By no call: at the end of a stack that would fail, and the lock be taken for ever.
            owner = null;
        }
    }

    /// Lets others in first, for a while; called without the lock by a thread that takes it
    /// repeatedly. One that waits looks again and again before it sleeps.
    void letOthersIn(Yielding yielding) {
        for (int i = 0; i < YIELDS && waiting.get() > 0; i++) {
            if (!yielding.tryYield()) {
                giveWay();
                return;
            }
        }
    }

    private void giveWay() {
        for (int i = 0; i < TRIES && waiting.get() > 0; i++) {
            Thread.onSpinWait();
        }
        if (waiting.get() > 0) {
            LockSupport.parkNanos(this, SLEEP_NS);
        }
    }
}
