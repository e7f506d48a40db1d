package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;

import dev.verbena.ibverbs.Library.Answer;
import dev.verbena.ibverbs.Library.Function;

/// The few calls of Linux that waiting on file descriptors takes.
final class Posix {
    static final int POLL_IN = 1;

    /// Bytes of a `struct pollfd`, and the offsets of its requested and returned events.
    static final int POLL_SIZE = 8;

    static final int POLL_EVENTS = 4;
    static final int POLL_RETURNED = 6;

    private static final int GET_FLAGS = 3;
    private static final int SET_FLAGS = 4;
    private static final int NON_BLOCKING = 0x800;
    private static final int EVENT_FLAGS = 0x80000 | NON_BLOCKING;

    private static final Library LIBC = NativeLibrary.system();
    private static final Function POLL = LIBC.function("poll", INT, LONG, LONG, INT);
    private static final Function FCNTL = LIBC.function("fcntl", INT, INT, INT, LONG);
    private static final Function EVENTFD = LIBC.function("eventfd", INT, INT, INT);
    private static final Function READ = LIBC.function("read", LONG, INT, LONG, LONG);
    private static final Function WRITE = LIBC.function("write", LONG, INT, LONG, LONG);
    private static final Function CLOSE = LIBC.function("close", INT, INT);

    private Posix() {}

    /// Waits until one of the files has something, however long that takes.
    static int poll(long files, int count, int timeoutMs) {
        return (int) POLL.call(files, count, timeoutMs).value();
    }

    /// Makes reading from a file answer at once when there is nothing.
    static void unblock(int file) {
        long flags = FCNTL.call(file, GET_FLAGS, 0).value();
        FCNTL.call(file, SET_FLAGS, flags | NON_BLOCKING);
    }

    /// A file by which one thread wakes another.
    static int eventFile() {
        Answer answer = EVENTFD.call(0, EVENT_FLAGS);
        if (answer.value() < 0) {
            throw Errno.refusal("event thread", "an eventfd", answer.errno());
        }
        return (int) answer.value();
    }

    static void read(int file, long to, long bytes) {
        READ.call(file, to, bytes);
    }

    static void write(int file, long from, long bytes) {
        WRITE.call(file, from, bytes);
    }

    static void close(int file) {
        CLOSE.call(file);
    }
}
