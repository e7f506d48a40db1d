package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// Unix sockets with names that are no files: a network namespace has each name once, and takes it
/// back when its process ends, however that happens.
///
/// Answers are those of the system calls.
final class LocalSocket {
    private static final int UNIX = 1;
    private static final int NAME_MAX = 107;
    private static final int ADDRESS_MAX = 110;
    private static final int BACKLOG = 16;
    private static final int US_PER_MS = 1000;

    /// Process, user and group, in the order of `SO_PEERCRED`.
    private static final int PEER_BYTES = 3 * Integer.BYTES;

    private final MemorySegment state;
    private final MemorySegment scratch = Arena.ofAuto().allocate(128, 8);

    LocalSocket(MemorySegment state) {
        this.state = state;
    }

    /// The process at the other end of a connection.
    record Peer(int process, int user) {}

    int open() {
        int type = SocketOption.SOCK_SEQPACKET | SocketOption.SOCK_CLOEXEC;
        return Libc.socket(state, UNIX, type, 0);
    }

    /// A socket that holds a name, or checks whether a name is in use.
    int openName() {
        int type = SocketOption.SOCK_DGRAM | SocketOption.SOCK_CLOEXEC;
        return Libc.socket(state, UNIX, type, 0);
    }

    int bind(int socket, String name) {
        return Libc.bind(state, socket, scratch, address(name));
    }

    int listen(int socket) {
        return Libc.listen(state, socket, BACKLOG);
    }

    int connect(int socket, String name) {
        return Libc.connect(state, socket, scratch, address(name));
    }

    /// How long connecting and receiving may take.
    void limit(int socket, int waitMs) {
        scratch.set(ValueLayout.JAVA_LONG, 0, waitMs / US_PER_MS);
        scratch.set(ValueLayout.JAVA_LONG, 8, (long) waitMs % US_PER_MS * US_PER_MS);
        int level = SocketOption.SOL_SOCKET;
        Libc.setsockopt(state, socket, level, SocketOption.SO_RCVTIMEO, scratch, 16);
        Libc.setsockopt(state, socket, level, SocketOption.SO_SNDTIMEO, scratch, 16);
    }

    Peer peer(int socket) {
        MemorySegment length = scratch.asSlice(16, Integer.BYTES);
        length.set(ValueLayout.JAVA_INT, 0, PEER_BYTES);
        int level = SocketOption.SOL_SOCKET;
        if (Libc.getsockopt(state, socket, level, SocketOption.SO_PEERCRED, scratch, length) != 0) {
            return new Peer(0, -1);
        }
        return new Peer(scratch.get(ValueLayout.JAVA_INT, 0), scratch.get(ValueLayout.JAVA_INT, 4));
    }

    private int address(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length > NAME_MAX) {
            throw new AssertionError("a name of " + bytes.length + " bytes: " + name);
        }
        scratch.asSlice(0, ADDRESS_MAX).fill((byte) 0);
        scratch.set(ValueLayout.JAVA_SHORT, 0, (short) UNIX);
        // A zero before the name makes it one that is no file.
        MemorySegment.copy(bytes, 0, scratch, ValueLayout.JAVA_BYTE, 3, bytes.length);
        return 3 + bytes.length;
    }
}
