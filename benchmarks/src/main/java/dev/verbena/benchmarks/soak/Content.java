package dev.verbena.benchmarks.soak;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Bytes that follow from a number, so that the receiver can check them.
final class Content {
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private Content() {}

    static void put(MemorySegment memory, long at, long length, long number) {
        long value = number;
        long end = at + length;
        long place = at;
        for (; place + Long.BYTES <= end; place += Long.BYTES) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, place, value);
            value += STEP;
        }
        for (; place < end; place++) {
            memory.set(ValueLayout.JAVA_BYTE, place, (byte) value);
            value >>>= Byte.SIZE;
        }
    }

    static boolean is(MemorySegment memory, long at, long length, long number) {
        long value = number;
        long end = at + length;
        long place = at;
        for (; place + Long.BYTES <= end; place += Long.BYTES) {
            if (memory.get(ValueLayout.JAVA_LONG_UNALIGNED, place) != value) {
                return false;
            }
            value += STEP;
        }
        for (; place < end; place++) {
            if (memory.get(ValueLayout.JAVA_BYTE, place) != (byte) value) {
                return false;
            }
            value >>>= Byte.SIZE;
        }
        return true;
    }
}
