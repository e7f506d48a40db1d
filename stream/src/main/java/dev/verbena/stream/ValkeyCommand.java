package dev.verbena.stream;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ProtocolException;
import java.nio.ByteOrder;

/// A message of Valkey's RDMA transport that carries no data of the program: 32 bytes, big-endian,
/// by SEND.
///
/// ```text
/// byte 0   what it is
/// byte 16  address of a buffer
/// byte 24  its length; or, of 8 bytes, features
/// byte 28  its key
/// ```
final class ValkeyCommand {
    static final int BYTES = 32;

    /// A client asks for features, and a server answers with the same.
    static final int GET_FEATURES = 0;

    static final int SET_FEATURES = 1;
    static final int KEEP_ALIVE = 2;

    /// The sender gives the peer a buffer to write into, from its beginning.
    static final int REGISTER = 3;

    private static final int ADDRESS = 16;
    private static final int LENGTH = 24;
    private static final int KEY = 28;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private ValkeyCommand() {}

    static int code(MemorySegment memory, long at) {
        return Short.toUnsignedInt(memory.get(SHORT, at));
    }

    static long features(MemorySegment memory, long at) {
        return memory.get(LONG, at + LENGTH);
    }

    /// The buffer that the peer gives.
    static RemoteSlice buffer(MemorySegment memory, long at) throws ProtocolException {
        long length = Integer.toUnsignedLong(memory.get(INT, at + LENGTH));
        if (length == 0) {
            throw new ProtocolException("the peer gives a buffer without bytes");
        }
        try {
            return new RemoteSlice(
                    memory.get(LONG, at + ADDRESS), length, memory.get(INT, at + KEY));
        } catch (InvalidRequestException impossible) {
            throw (ProtocolException)
                    new ProtocolException("the peer names memory that cannot be")
                            .initCause(impossible);
        }
    }

    static void write(MemorySegment memory, long at, int code) {
        memory.asSlice(at, BYTES).fill((byte) 0);
        memory.set(SHORT, at, (short) code);
    }

    static void writeBuffer(MemorySegment memory, long at, MemoryRegion buffer, int length) {
        write(memory, at, REGISTER);
        memory.set(LONG, at + ADDRESS, buffer.address());
        memory.set(INT, at + LENGTH, length);
        memory.set(INT, at + KEY, buffer.remoteKey());
    }
}
