package dev.verbena.roce;

import dev.verbena.verbs.LimitExceededException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Sockets in addition to the device's own. There may be many, and few have data: `epoll`.
final class SideSockets {
    static final int NONE = -1;

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int ADD = 1;
    private static final int READABLE = 1;

    /// Where an event has the number that it was added with.
    private static final int DATA = Libc.packsEvents() ? 4 : 8;

    private static final int EVENT_BYTES = 16;

    private final String device;
    private final MemorySegment state;
    private final int epoll;
    private final MemorySegment event = Arena.ofAuto().allocate(EVENT_BYTES, 8);

    SideSockets(String device, MemorySegment state) {
        this.device = device;
        this.state = state;
        epoll = Libc.epollCreate(state, CLOSE_ON_EXEC);
        if (epoll < 0) {
            throw refused();
        }
    }

    /// A file that can be read when one of them can.
    int file() {
        return epoll;
    }

    /// Looks at a socket too, until it is closed.
    void add(int socket) {
        event.set(ValueLayout.JAVA_INT, 0, READABLE);
        event.set(ValueLayout.JAVA_INT, DATA, socket);
        event.set(ValueLayout.JAVA_INT, DATA + Integer.BYTES, 0);
        if (Libc.epollControl(state, epoll, ADD, socket, event) != 0) {
            throw refused();
        }
    }

    /// One that has something, in turn, or [#NONE].
    int next() {
        return Libc.epollLook(epoll, event) ? event.get(ValueLayout.JAVA_INT, DATA) : NONE;
    }

    private LimitExceededException refused() {
        return new LimitExceededException(
                device,
                "the system does not wait for its sockets: " + Errno.text(Libc.errno(state)),
                "look at the limit of open files");
    }

    void close() {
        Libc.close(state, epoll);
    }
}
