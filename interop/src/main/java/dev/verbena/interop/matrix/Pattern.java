package dev.verbena.interop.matrix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;

/// Bytes that a seed decides, and their checksum: the same here and in `interop/rxe/oracle.c`.
final class Pattern {
    private Pattern() {}

    static void fill(MemorySegment memory, long offset, long length, long seed) {
        for (long i = 0; i < length; i++) {
            long number = number(seed, i / 8);
            memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (number >>> (8 * (i % 8))));
        }
    }

    static int checksum(MemorySegment memory, long offset, long length) {
        CRC32 crc = new CRC32();
        crc.update(memory.asSlice(offset, length).asByteBuffer());
        return (int) crc.getValue();
    }

    /// SplitMix64, counted by the place.
    private static long number(long seed, long at) {
        long z = seed + (at + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
