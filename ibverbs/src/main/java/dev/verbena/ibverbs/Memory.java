package dev.verbena.ibverbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Native memory by address, for structures that libibverbs made or reads.
///
/// An address is a number here and everywhere in this module: a call then creates no object, and a
/// structure costs nothing but its bytes. Callers pass only addresses from libibverbs or of their
/// own allocations.
final class Memory {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /// All that there is.
    private static final MemorySegment ALL = Native.everything();

    private Memory() {}

    static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    static int getInt(long address) {
        return ALL.get(INT, address);
    }

    static int getShort(long address) {
        return ALL.get(SHORT, address) & 0xFFFF;
    }

    static int getByte(long address) {
        return ALL.get(BYTE, address) & 0xFF;
    }

    static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    static void putShort(long address, int value) {
        ALL.set(SHORT, address, (short) value);
    }

    static void putByte(long address, int value) {
        ALL.set(BYTE, address, (byte) value);
    }

    static void clear(long address, long bytes) {
        ALL.asSlice(address, bytes).fill((byte) 0);
    }

    static void copy(MemorySegment from, long offset, long to, long bytes) {
        MemorySegment.copy(from, offset, ALL, to, bytes);
    }

    static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /// A copy of so many bytes.
    static byte[] bytes(long address, int length) {
        byte[] copy = new byte[length];
        MemorySegment.copy(ALL, BYTE, address, copy, 0, length);
        return copy;
    }

    /// Text of C.
    static String text(long address) {
        return ALL.getString(address);
    }
}
