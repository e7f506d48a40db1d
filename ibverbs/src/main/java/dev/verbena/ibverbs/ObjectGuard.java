package dev.verbena.ibverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// Keeps an object of the device from being destroyed while a thread is inside a call on it.
///
/// Otherwise the library would read freed memory, and the process would crash. So each call that
/// moves bytes goes through the guard, which costs one atomic instruction, and closing shuts it. No
/// thread waits inside of it.
final class ObjectGuard {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int SHUT = 2;
    private static final int SPINS = 100;
    private static final long SLEEP_NS = 20_000;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ObjectGuard.class, "state", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    /// Enters, after the thread that is inside; returns false when the guard was shut.
    boolean enter() {
        return (int) STATE.compareAndExchange(this, IDLE, BUSY) == IDLE || waitFor(BUSY);
    }

    void leave() {
        STATE.setRelease(this, IDLE);
    }

    /// Shuts the guard permanently, once no thread is inside any more; returns false when it was
    /// shut before.
    boolean shut() {
        return waitFor(SHUT);
    }

    /// Virtual threads that only yield can keep the one inside from ever running again, so they
    /// sleep; and so that an interrupt does not end every sleep at once, it is put aside.
    private boolean waitFor(int wanted) {
        int found;
        int spins = 0;
        boolean isInterrupted = false;
        while ((found = (int) STATE.compareAndExchange(this, IDLE, wanted)) == BUSY) {
            if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                isInterrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, SLEEP_NS);
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return found == IDLE;
    }
}
