package dev.verbena.transport.carrier;

import dev.verbena.verbs.WrongStateException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// For devices that belong to one thread at a time: a second thread in one of them gets an
/// exception that names both, instead of wrong completions.
///
/// Handing over from one thread to another is not forbidden, and neither is a call from within a
/// call. A thread that waits in a call is in it all the time.
public final class OneThread implements Guard {
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(OneThread.class, "owner", Thread.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private final String name;

    @SuppressWarnings("unused") // through OWNER
    private volatile @Nullable Thread owner;

    /// How often the owner has entered beyond the first time.
    private int again;

    /// @param name what the threads share
    public OneThread(String name) {
        this.name = name;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void enter() {
        Thread self = Thread.currentThread();
        Thread other = (Thread) OWNER.compareAndExchange(this, null, self);
        if (other == null) {
            return;
        }
        if (self.equals(other)) {
            again++;
        } else if (!other.isAlive() && OWNER.compareAndSet(this, other, self)) {
            again = 0;
        } else {
            throw new WrongStateException(
                    name,
                    "thread %s is in it, and thread %s calls"
                            .formatted(other.getName(), self.getName()),
                    "use its devices from one thread at a time; in an @RdmaTest start threads with"
                            + " RdmaThreads, which take turns");
        }
    }

    @Override
    public void exit() {
        if (again > 0) {
            again--;
        } else {
            // What was done here is seen by the next owner; nothing else has to wait for it.
            OWNER.setRelease(this, null);
        }
    }

    @Override
    public void beginWait() {
        enter();
    }

    @Override
    public void endWait() {
        exit();
    }

    /// Whether a thread is in it that has not ended.
    boolean isInside() {
        Thread known = owner;
        return known != null && known.isAlive();
    }
}
