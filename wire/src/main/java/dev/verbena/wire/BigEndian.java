package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Network-order fields in a memory segment, at any alignment.
///
/// Unsigned values of up to 24 bits are ints, 32-bit fields come as `i32` (bits) or `u32` (number),
/// 64-bit fields as long bits.
public final class BigEndian {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private BigEndian() {}

    public static int u8(MemorySegment segment, long at) {
        return segment.get(BYTE, at) & 0xFF;
    }

    public static int u16(MemorySegment segment, long at) {
        return segment.get(SHORT, at) & 0xFFFF;
    }

    public static int u24(MemorySegment segment, long at) {
        return (u8(segment, at) << 16) | u16(segment, at + 1);
    }

    public static int i32(MemorySegment segment, long at) {
        return segment.get(INT, at);
    }

    public static long u32(MemorySegment segment, long at) {
        return segment.get(INT, at) & 0xFFFF_FFFFL;
    }

    public static long i64(MemorySegment segment, long at) {
        return segment.get(LONG, at);
    }

    public static void put8(MemorySegment segment, long at, int value) {
        segment.set(BYTE, at, (byte) value);
    }

    public static void put16(MemorySegment segment, long at, int value) {
        segment.set(SHORT, at, (short) value);
    }

    public static void put24(MemorySegment segment, long at, int value) {
        put8(segment, at, value >> 16);
        put16(segment, at + 1, value);
    }

    public static void put32(MemorySegment segment, long at, int value) {
        segment.set(INT, at, value);
    }

    public static void put64(MemorySegment segment, long at, long value) {
        segment.set(LONG, at, value);
    }
}
