package dev.verbena.roce;

import dev.verbena.verbs.LimitExceededException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Waits for a socket and for the additional ones, and lets other threads end the wait with an
/// `eventfd`.
final class Doorbell {
    private static final int NON_BLOCKING = 0x800;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final short READABLE = 1;
    private static final int ENTRY = 8;
    private static final int FILES = 3;
    private static final long SECOND_NS = 1_000_000_000L;

    /// The longest wait, so that no mistake causes an endless one.
    private static final long WAIT_MAX_NS = SECOND_NS;

    private final int socket;
    private final int beside;
    private final int bell;
    private final MemorySegment ringState = Libc.state(Arena.ofAuto());
    private final MemorySegment one = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, 1);

    /// An unused wait object, so that the next wait need not create one.
    private final AtomicReference<@Nullable Wait> spare = new AtomicReference<>();

    private final Object lock = new Object();
    private int waiting;
    private volatile boolean isClosed;

    /// Whether a wait saw data at an additional socket that was not read since.
    private volatile boolean cameBeside;

    /// @param beside a file that is readable when data has arrived at another socket
    Doorbell(String device, int socket, int beside) {
        this.socket = socket;
        this.beside = beside;
        bell = Libc.eventfd(Libc.state(Arena.ofAuto()), 0, NON_BLOCKING | CLOSE_ON_EXEC);
        if (bell < 0) {
            throw new LimitExceededException(
                    device, "the system gives no eventfd", "look at the limit of open files");
        }
    }

    /// Waits until something comes or the bell rings, at most so long.
    void await(long ns) {
        if (ns <= 0) {
            return;
        }
        Wait wait = spare.getAndSet(null);
        if (wait == null) {
            wait = new Wait();
        }
        synchronized (lock) {
            if (isClosed) {
                return;
            }
            waiting++;
        }
        try {
            wait.run(Math.min(ns, WAIT_MAX_NS));
        } finally {
            if (wait.isOpen()) {
                spare.set(wait);
            }
            synchronized (lock) {
                waiting--;
                lock.notifyAll();
            }
        }
    }

    boolean cameBeside() {
        return cameBeside;
    }

    /// Nothing is there any more.
    void tookBeside() {
        cameBeside = false;
    }

    void ring() {
        synchronized (lock) {
            if (!isClosed) {
                write();
            }
        }
    }

    /// Ends all waits permanently, and returns when no thread waits any more: as long as one does,
    /// the system keeps the socket, and its address.
    void close() {
        synchronized (lock) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            write();
            boolean interrupted = false;
            while (waiting > 0) {
                try {
                    lock.wait();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            Libc.close(ringState, bell);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void write() {
        Libc.write(ringState, bell, one, Long.BYTES);
    }

    /// The state that one thread needs to wait. It is a channel because `Thread.interrupt` closes
    /// the channel in which a thread waits: that rings the bell.
    private final class Wait extends AbstractInterruptibleChannel {
        private final MemorySegment state = Libc.state(Arena.ofAuto());
        private final MemorySegment files = Arena.ofAuto().allocate(FILES * ENTRY, 8);
        private final MemorySegment time = Arena.ofAuto().allocate(2 * Long.BYTES, 8);
        private final MemorySegment count = Arena.ofAuto().allocate(Long.BYTES, 8);

        Wait() {
            files.set(ValueLayout.JAVA_INT, 0, socket);
            files.set(ValueLayout.JAVA_SHORT, 4, READABLE);
            files.set(ValueLayout.JAVA_INT, ENTRY, bell);
            files.set(ValueLayout.JAVA_SHORT, ENTRY + 4, READABLE);
            files.set(ValueLayout.JAVA_INT, 2 * ENTRY, beside);
            files.set(ValueLayout.JAVA_SHORT, 2 * ENTRY + 4, READABLE);
        }

        @Override
        protected void implCloseChannel() {
            ring();
        }

        void run(long ns) {
            time.set(ValueLayout.JAVA_LONG, 0, ns / SECOND_NS);
            time.set(ValueLayout.JAVA_LONG, Long.BYTES, ns % SECOND_NS);
            begin();
            try {
                if (isOpen()) {
                    Libc.ppoll(state, files, FILES, time);
                }
                end(true);
            } catch (AsynchronousCloseException interrupted) {
                // The interrupt stays set; the caller looks at it.
            }
            if (files.get(ValueLayout.JAVA_SHORT, 2 * ENTRY + 6) != 0) {
                cameBeside = true;
            }
            // Once it is closed, the bell must go on ringing until all have heard it.
            if (files.get(ValueLayout.JAVA_SHORT, ENTRY + 6) != 0 && !isClosed) {
                Libc.read(state, bell, count, Long.BYTES);
            }
        }
    }
}
