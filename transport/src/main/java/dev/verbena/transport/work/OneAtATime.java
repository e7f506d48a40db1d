package dev.verbena.transport.work;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// What one thread may use at a time, and a check of it that is made only under `-ea`.
///
/// It finds calls that overlap. Handing over from one thread to another is not forbidden, and
/// neither is a call from within a call.
abstract class OneAtATime {
    private static final VarHandle USER;

    static {
        try {
            USER = MethodHandles.lookup().findVarHandle(OneAtATime.class, "user", Thread.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    @SuppressWarnings("unused") // through USER
    private volatile @Nullable Thread user;

    /// Notes the calling thread; to be asserted before a call.
    final boolean claim() {
        Thread self = Thread.currentThread();
        Thread other = (Thread) USER.compareAndExchange(this, null, self);
        if (other != null && !other.equals(self)) {
            throw shared(other);
        }
        return true;
    }

    /// Forgets it; to be asserted after a call.
    final boolean leave() {
        USER.compareAndSet(this, Thread.currentThread(), null);
        return true;
    }

    final AssertionError shared(Thread other) {
        return new AssertionError(
                "%s is used by thread %s and by thread %s: one at a time may"
                        .formatted(this, other.getName(), Thread.currentThread().getName()));
    }
}
