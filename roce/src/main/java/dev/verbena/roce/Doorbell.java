package dev.verbena.roce;

import dev.verbena.verbs.LimitExceededException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Waits for a socket and for the additional ones, and lets other threads end the wait with an
/// `eventfd`. Each of the seats in which a thread can wait has its own, so that no thread hears
/// what was meant for another.
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
    private final int[] bells = new int[Datagrams.SEATS];
    private final MemorySegment ringState = Libc.state(Arena.ofAuto());
    private final MemorySegment one = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, 1);

    /// Unused wait objects, so that the next wait in a seat need not create one.
    private final AtomicReferenceArray<@Nullable Wait> spare =
            new AtomicReferenceArray<>(Datagrams.SEATS);

    private final Object lock = new Object();
    private int waiting;
    private volatile boolean isClosed;

    /// Whether a wait saw data at an additional socket that was not read since.
    private volatile boolean cameBeside;

    /// @param beside a file that is readable when data has arrived at another socket
    Doorbell(String device, int socket, int beside) {
        this.socket = socket;
        this.beside = beside;
        for (int seat = 0; seat < bells.length; seat++) {
            bells[seat] = Libc.eventfd(ringState, 0, NON_BLOCKING | CLOSE_ON_EXEC);
            if (bells[seat] < 0) {
                closeBells(seat);
                throw new LimitExceededException(
                        device, "the system gives no eventfd", "look at the limit of open files");
            }
        }
    }

    /// Waits until something comes or the bell of the seat rings, at most so long.
    void await(int seat, long ns) {
        if (ns <= 0) {
            return;
        }
        Wait wait = spare.getAndSet(seat, null);
        if (wait == null) {
            wait = new Wait(seat);
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
                spare.set(seat, wait);
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

    void ring(int seat) {
        synchronized (lock) {
            if (!isClosed) {
                Libc.write(ringState, bells[seat], one, Long.BYTES);
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
            for (int seat = 0; seat < bells.length; seat++) {
                ring(seat);
            }
            isClosed = true;
            boolean interrupted = false;
            while (waiting > 0) {
                try {
                    lock.wait();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            closeBells(bells.length);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeBells(int count) {
        for (int seat = 0; seat < count; seat++) {
            Libc.close(ringState, bells[seat]);
        }
    }

    /// The state that one thread needs to wait. It is a channel because `Thread.interrupt` closes
    /// the channel in which a thread waits: that rings the bell.
    private final class Wait extends AbstractInterruptibleChannel {
        private final int seat;
        private final MemorySegment state = Libc.state(Arena.ofAuto());
        private final MemorySegment files = Arena.ofAuto().allocate(FILES * ENTRY, 8);
        private final MemorySegment time = Arena.ofAuto().allocate(2 * Long.BYTES, 8);
        private final MemorySegment count = Arena.ofAuto().allocate(Long.BYTES, 8);

        Wait(int seat) {
            this.seat = seat;
            files.set(ValueLayout.JAVA_INT, 0, socket);
            files.set(ValueLayout.JAVA_SHORT, 4, READABLE);
            files.set(ValueLayout.JAVA_INT, ENTRY, bells[seat]);
            files.set(ValueLayout.JAVA_SHORT, ENTRY + 4, READABLE);
            files.set(ValueLayout.JAVA_INT, 2 * ENTRY, beside);
            files.set(ValueLayout.JAVA_SHORT, 2 * ENTRY + 4, READABLE);
        }

        @Override
        protected void implCloseChannel() {
            ring(seat);
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
                Libc.read(state, bells[seat], count, Long.BYTES);
            }
        }
    }
}
