package dev.verbena.benchmarks.soak;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What a SEND carries: its place among all of its connection, and content that follows from it.
///
/// The last one of a connection carries how many there were before it, and how often the counter
/// was added to.
final class SendContent {
    static final int LEAST = 2 * Long.BYTES;
    private static final long LAST = -1;

    private SendContent() {}

    static void put(MemorySegment memory, long at, long length, long place) {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, place);
        Content.put(memory, at + Long.BYTES, length - Long.BYTES, place * length);
    }

    static void putLast(MemorySegment memory, long at, long letters, long added) {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, LAST);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + Long.BYTES, letters);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + 2 * Long.BYTES, added);
    }

    static final int LAST_LENGTH = 3 * Long.BYTES;

    static boolean isLast(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == LAST;
    }

    static long letters(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + Long.BYTES);
    }

    static long added(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + 2 * Long.BYTES);
    }

    /// Whether it is whole, and in its place.
    static boolean is(MemorySegment memory, long at, long length, long place) {
        return length >= LEAST
                && memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == place
                && Content.is(memory, at + Long.BYTES, length - Long.BYTES, place * length);
    }
}
