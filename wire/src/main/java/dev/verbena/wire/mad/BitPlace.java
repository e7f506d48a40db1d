package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Fields at any bit, counted from the most significant one of the first byte. A field of more than
/// 56 bits begins with a byte.
final class BitPlace {
    private static final int BYTE = 8;
    private static final int WIDTH_MAX = 64;

    private BitPlace() {}

    static long read(MemorySegment segment, long at, int bit, int width) {
        int end = end(bit, width);
        long value = 0;
        for (int i = bit / BYTE; i < end; i++) {
            value = value << BYTE | BigEndian.u8(segment, at + i);
        }
        return value >>> (end * BYTE - bit - width) & mask(width);
    }

    /// Writes the field and leaves all other bits as they are.
    static void write(MemorySegment segment, long at, int bit, int width, long value) {
        int end = end(bit, width);
        int shift = end * BYTE - bit - width;
        long bits = value << shift;
        long mask = mask(width) << shift;
        for (int i = end - 1; i >= bit / BYTE; i--) {
            int kept = BigEndian.u8(segment, at + i) & ~(int) mask;
            BigEndian.put8(segment, at + i, kept | (int) (bits & mask & 0xFF));
            bits >>>= BYTE;
            mask >>>= BYTE;
        }
    }

    static void require(String field, int width, long value) {
        if (width < WIDTH_MAX) {
            WireException.requireBits(field, value, width);
        }
    }

    /// The byte behind the last one that has bits of the field.
    private static int end(int bit, int width) {
        return (bit + width + BYTE - 1) / BYTE;
    }

    private static long mask(int width) {
        return width == WIDTH_MAX ? -1 : (1L << width) - 1;
    }
}
