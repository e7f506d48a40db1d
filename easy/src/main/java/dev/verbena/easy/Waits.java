package dev.verbena.easy;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// How threads wait for other threads: parked, or in virtual time by handing on the baton.
interface Waits {
    /// No deadline.
    long NEVER = Long.MAX_VALUE;

    long nowNs();

    /// Waits until [#wake] or the deadline; may return early.
    ///
    /// @param isOver what the thread waits for, asked only in virtual time, by the one thread that
    ///   runs
    void pause(long deadlineNs, BooleanSupplier isOver);

    void wake(Thread thread);

    /// The time after so long; a time that no number has is [#NEVER].
    default long after(Duration length) {
        long nowNs = nowNs();
        if (length.compareTo(Duration.ofNanos(NEVER - nowNs)) >= 0) {
            return NEVER;
        }
        return length.isNegative() ? nowNs : nowNs + length.toNanos();
    }

    /// Those of the threads that use a device.
    static Waits of(Device device) {
        return VirtualTime.of(device).<Waits>map(ByBaton::new).orElseGet(Parked::new);
    }

    /// Real time.
    final class Parked implements Waits {
        private final long startNs = System.nanoTime();

        @Override
        public long nowNs() {
            return System.nanoTime() - startNs;
        }

        @Override
        public void pause(long deadlineNs, BooleanSupplier isOver) {
            if (deadlineNs == NEVER) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadlineNs - nowNs());
            }
        }

        @Override
        public void wake(Thread thread) {
            LockSupport.unpark(thread);
        }
    }

    /// Virtual time, which moves when all threads wait.
    record ByBaton(VirtualTime time) implements Waits {
        @Override
        public long nowNs() {
            return time.nowNs();
        }

        @Override
        public void pause(long deadlineNs, BooleanSupplier isOver) {
            baton().await(deadlineNs, isOver);
        }

        @Override
        public void wake(Thread thread) {
            baton().rouse(thread);
        }

        private Baton baton() {
            Baton baton = time.baton();
            if (baton == null) {
                throw new WrongStateException(
                        "node in virtual time",
                        "its threads take no turns",
                        "give it the factory of such threads: NodeSettings.withThreads");
            }
            return baton;
        }
    }
}
