package dev.verbena.easy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The header in front of every message on the wire. Numbers are big-endian.
///
/// | byte | field |
/// |---|---|
/// | 0 | kind |
/// | 1 | for a reply: 0, or 1 when the handler failed |
/// | 2-3 | 0 |
/// | 4-7 | receives that the peer gets back |
/// | 8-15 | number of the request |
final class Frame {
    static final int LENGTH = 16;

    static final int MESSAGE = 1;
    static final int REQUEST = 2;
    static final int REPLY = 3;

    /// Only gives receives back.
    static final int CREDIT = 4;

    /// The peer sends nothing more.
    static final int BYE = 5;

    /// Asks for exported memory by name.
    static final int LOOKUP = 6;

    /// The answer to [#LOOKUP]: a slice, or nothing.
    static final int FOUND = 7;

    static final int FAILED = 1;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Frame() {}

    static void write(MemorySegment to, long at, int kind, int flag, int credits, long number) {
        to.set(INT, at, kind << 24 | flag << 16);
        to.set(INT, at + 4, credits);
        to.set(LONG, at + 8, number);
    }

    static int kind(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at);
    }

    static int flag(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at + 1);
    }

    static int credits(MemorySegment from, long at) {
        return from.get(INT, at + 4);
    }

    static long number(MemorySegment from, long at) {
        return from.get(LONG, at + 8);
    }
}
