package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// The data that a process at an address gives to one that joins it: all sockets of the address,
/// and their shared secret.
final class HandOver {
    /// The sixteen values of four bits, without the one that is no device's.
    static final int DEVICES = 15;

    /// One for each device, and the one for requests.
    static final int SOCKETS = DEVICES + 1;

    static final HandOver NOTHING = new HandOver(new int[0], 0);

    private static final long KIND = 0x76_65_72_62_65_6E_61_02L;
    private static final int BYTES = 2 * Long.BYTES;

    private final int[] sockets;
    private final long secret;

    /// @param sockets in the order in which the kernel numbers them
    /// @param secret a number that only the processes at the address know
    HandOver(int[] sockets, long secret) {
        this.sockets = sockets;
        this.secret = secret;
    }

    boolean isNothing() {
        return sockets.length == 0;
    }

    int socket(int number) {
        return sockets[number];
    }

    long secret() {
        return secret;
    }

    /// Sends it; the files stay open here.
    boolean send(MemorySegment state, int connection) {
        MessageHeader message = new MessageHeader();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(BYTES, 8);
            text.set(ValueLayout.JAVA_LONG, 0, KIND);
            text.set(ValueLayout.JAVA_LONG, 8, secret);
            MemorySegment piece = arena.allocate(Train.PIECE, 8);
            piece.set(ValueLayout.ADDRESS, 0, text);
            piece.set(ValueLayout.JAVA_LONG, 8, BYTES);
            message.pieces(piece, 1);
            message.files(sockets);
            int flags = SocketOption.DONT_WAIT | SocketOption.NO_SIGNAL;
            return Libc.sendmsg(state, connection, message.finish(), flags) == BYTES;
        }
    }

    /// Receives it; [#NOTHING] from a process that ends or sends something else, null when there is
    /// no reply in time.
    static @Nullable HandOver receive(MemorySegment state, int connection) {
        MessageHeader message = new MessageHeader();
        MemorySegment text = Arena.ofAuto().allocate(BYTES, 8);
        message.buffer(text);
        int flags = SocketOption.FILES_CLOEXEC;
        long length;
        do {
            length = Libc.recvmsg(state, connection, message.prepare(), flags);
        } while (length < 0 && Libc.errno(state) == Errno.EINTR);
        if (length <= 0) {
            return length < 0 && Libc.errno(state) == Errno.EAGAIN ? null : NOTHING;
        }
        int[] files = message.readFiles();
        if (files.length == SOCKETS && text.get(ValueLayout.JAVA_LONG, 0) == KIND) {
            return new HandOver(files, text.get(ValueLayout.JAVA_LONG, 8));
        }
        for (int file : files) {
            Libc.close(state, file);
        }
        return NOTHING;
    }

    void close(MemorySegment state) {
        for (int socket : sockets) {
            Libc.close(state, socket);
        }
    }
}
