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
        if (isWhole(bit, width)) {
            long place = at + bit / BYTE;
            return switch (width) {
                case BYTE -> BigEndian.u8(segment, place);
                case Short.SIZE -> BigEndian.u16(segment, place);
                case Integer.SIZE -> BigEndian.u32(segment, place);
                default -> BigEndian.i64(segment, place);
            };
        }
        int end = end(bit, width);
        long value = 0;
        for (int i = bit / BYTE; i < end; i++) {
            value = value << BYTE | BigEndian.u8(segment, at + i);
        }
        return value >>> (end * BYTE - bit - width) & mask(width);
    }

    /// Writes the field and leaves all other bits as they are.
    static void write(MemorySegment segment, long at, int bit, int width, long value) {
        if (isWhole(bit, width)) {
            long place = at + bit / BYTE;
            switch (width) {
                case BYTE -> BigEndian.put8(segment, place, (int) value);
                case Short.SIZE -> BigEndian.put16(segment, place, (int) value);
                case Integer.SIZE -> BigEndian.put32(segment, place, (int) value);
                default -> BigEndian.put64(segment, place, value);
            }
            return;
        }
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

    /// Whether a field is one number of the machine's, as most are: no byte is shared with others.
    private static boolean isWhole(int bit, int width) {
        return bit % BYTE == 0 && width >= BYTE && Integer.bitCount(width) == 1;
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
