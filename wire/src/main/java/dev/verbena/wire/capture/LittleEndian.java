package dev.verbena.wire.capture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Little-endian fields in a memory segment, at any alignment; the files written here use them.
final class LittleEndian {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static int u16(MemorySegment segment, long at) {
        return segment.get(SHORT, at) & 0xFFFF;
    }

    static long u32(MemorySegment segment, long at) {
        return segment.get(INT, at) & 0xFFFF_FFFFL;
    }

    static long i64(MemorySegment segment, long at) {
        return segment.get(LONG, at);
    }

    static void put16(MemorySegment segment, long at, int value) {
        segment.set(SHORT, at, (short) value);
    }

    static void put32(MemorySegment segment, long at, int value) {
        segment.set(INT, at, value);
    }

    static void put64(MemorySegment segment, long at, long value) {
        segment.set(LONG, at, value);
    }
}
