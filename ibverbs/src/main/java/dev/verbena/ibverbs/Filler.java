package dev.verbena.ibverbs;

import dev.verbena.verbs.WrongStateException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The thread that fills the batch of a queue, from its begin until it is posted or given up.
///
/// A queue has one batch, whose requests have their places in the ring already: two threads that
/// fill it at a time would overwrite each other's requests. The second one gets an exception.
final class Filler {
    private static final VarHandle THREAD;

    static {
        try {
            THREAD = MethodHandles.lookup().findVarHandle(Filler.class, "thread", Thread.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private volatile @Nullable Thread thread;

    /// The calling thread begins a batch; one that has ended cannot post its own any more.
    void begin(Object owner) {
        Thread self = Thread.currentThread();
        Thread other = (Thread) THREAD.compareAndExchange(this, null, self);
        if (other == null || other.equals(self)) {
            return;
        }
        if (other.isAlive() || !THREAD.compareAndSet(this, other, self)) {
            throw shared(owner, other);
        }
    }

    /// Refuses a call of another thread than the one that began the batch.
    void require(Object owner) {
        Thread filling = thread;
        if (filling != null && !filling.equals(Thread.currentThread())) {
            throw shared(owner, filling);
        }
    }

    void end() {
        THREAD.setRelease(this, null);
    }

    private static WrongStateException shared(Object owner, Thread other) {
        return new WrongStateException(
                owner.toString(),
                "thread %s has begun a batch that is not posted yet, and thread %s uses it too"
                        .formatted(other.getName(), Thread.currentThread().getName()),
                "post or abort it there first, or let each thread have its own queue");
    }
}
