package dev.verbena.stream;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.spi.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Lets several threads wait for one stream: one of them, the leader, waits at the completion queue
/// and works for all; the others wait for the leader.
///
/// Only the leader takes completions, so that they keep their order. In virtual time, a thread that
/// waits in a lock would keep the baton: there, the others sleep for moments of that time instead.
final class Turnstile {
    /// The result of a step that has to be tried again.
    static final int WAIT = -2;

    private static final long SLICE_NS = 1_000_000_000;
    private static final long TIMED_SLICE_NS = 1_000_000;
    private static final Duration MOMENT = Duration.ofNanos(5_000);

    /// What a thread wants of the stream; run with the lock held, as often as it must.
    interface Step {
        /// Returns the result, or [#WAIT].
        int run() throws IOException;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final StreamGroup group;
    private final Connection connection;
    private final boolean isVirtual;
    private boolean hasLeader;

    Turnstile(StreamGroup group, ByteStream stream) {
        this.group = group;
        connection = Objects.requireNonNull(stream.connection());
        isVirtual = VirtualTime.of(group.device()).isPresent();
    }

    /// Runs the step until it has a result.
    ///
    /// @param timeout zero for none
    int pass(Duration timeout, Step step) throws IOException {
        long startNs = group.nowNs();
        long limitNs = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
        lock();
        try {
            while (true) {
                if (!hasLeader) {
                    group.progress();
                }
                int result = step.run();
                if (result != WAIT) {
                    changed.signalAll();
                    return result;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted while waiting for " + connection);
                }
                long leftNs = limitNs - (group.nowNs() - startNs);
                if (leftNs <= 0) {
                    throw new SocketTimeoutException("nothing within " + timeout);
                }
                await(Math.min(leftNs, group.isTimed() ? TIMED_SLICE_NS : SLICE_NS));
            }
        } catch (ClosedException closedMeanwhile) {
            AsynchronousCloseException closed = new AsynchronousCloseException();
            closed.initCause(closedMeanwhile);
            throw closed;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    private void await(long ns) {
        if (!hasLeader) {
            lead(ns);
        } else if (isVirtual) {
            lock.unlock();
            try {
                connection.awaitDisconnected(MOMENT);
            } finally {
                lock();
            }
        } else {
            try {
                changed.await(ns, TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void lead(long ns) {
        hasLeader = true;
        lock.unlock();
        try {
            group.await(Duration.ofNanos(ns), this::dispatch);
        } finally {
            lock();
            hasLeader = false;
            changed.signalAll();
        }
    }

    private void dispatch(Completion done) {
        lock();
        try {
            group.dispatch(done);
        } finally {
            lock.unlock();
        }
    }

    private void lock() {
        if (!isVirtual) {
            lock.lock();
            return;
        }
        while (!lock.tryLock()) {
            connection.awaitDisconnected(MOMENT);
        }
    }

    void close() {
        lock();
        try {
            group.close();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
