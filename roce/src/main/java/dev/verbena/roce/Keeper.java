package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// Gives the sockets of an address to processes of the same user that ask for them.
///
/// It has a thread of its own, which sleeps in the kernel: a device that is driven by its callers
/// could not answer.
final class Keeper implements Runnable {
    private static final Duration END_WAIT = Duration.ofSeconds(1);
    private static final long PAUSE_MS = 100;

    private final int listener;
    private final HandOver kept;
    private final Thread thread;
    private final MemorySegment state = Libc.state(Arena.ofAuto());
    private final LocalSocket local = new LocalSocket(state);
    private boolean isClosed;

    /// @param listener where they ask; it is closed when the keeper is
    Keeper(String name, int listener, HandOver kept) {
        this.listener = listener;
        this.kept = kept;
        thread = Thread.ofPlatform().daemon().name("verbena " + name + " keeper").start(this);
    }

    @Override
    public void run() {
        int user = Libc.geteuid(state);
        while (true) {
            int asking = Libc.accept(state, listener, SocketOption.SOCK_CLOEXEC);
            if (asking >= 0) {
                if (local.peer(asking).user() == user) {
                    give(asking);
                }
                Libc.close(state, asking);
            } else if (isOver(Libc.errno(state))) {
                Libc.close(state, listener);
                return;
            }
        }
    }

    /// A file that was closed may be another one by now: none is given away after that.
    private synchronized void give(int asking) {
        if (!isClosed) {
            // If this fails, the other process asks another one, or reports that there is no reply.
            kept.send(state, asking);
        }
    }

    private boolean isOver(int errno) {
        return switch (errno) {
            case Errno.EINTR, Errno.ECONNABORTED -> false;
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS -> !pause();
            default -> true;
        };
    }

    /// Gives the process time to close some files; false when it is to end.
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MS);
            return true;
        } catch (InterruptedException end) {
            return false;
        }
    }

    /// Ends it, and gives back the name that it listened at.
    void close(MemorySegment callersState) {
        synchronized (this) {
            isClosed = true;
        }
        Libc.shutdown(callersState, listener, SocketOption.SHUT_BOTH);
        // It may wait for a file in order to accept; `accept` itself heeds no interrupt.
        thread.interrupt();
        try {
            thread.join(END_WAIT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
