package dev.verbena.fabric;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Bth;
import java.lang.foreign.MemorySegment;

/// The headers of a packet of a reduction: a BTH with an opcode of those that manufacturers use as
/// they like, and which packet of the group it is.
///
/// ```text
///   byte  0 … 11  BTH: the opcode, the group in place of a queue pair, the sequence's lower bits
///        12 … 19  sequence: packets of a group are counted from 0, through all operations
///        20 … 23  what is to be done with the elements, as the group has numbered it
/// ```
final class ReductionHeader {
    static final int LENGTH = Bth.LENGTH + 12;

    /// From a child to its parent: a vector, or the combination of those below.
    private static final int UP = 0xC0;

    /// From a parent to its children: the result.
    private static final int DOWN = 0xC1;

    private static final int SEQUENCE = Bth.LENGTH;
    private static final int ARITHMETIC = Bth.LENGTH + 8;
    private static final int DEFAULT_KEY = 0xFFFF;
    private static final int LOW_24 = 0xFF_FFFF;

    private ReductionHeader() {}

    static void put(
            MemorySegment headers,
            long at,
            boolean isUp,
            int group,
            long sequence,
            int arithmetic,
            int payloadBytes) {
        int psn = (int) sequence & LOW_24;
        int pad = -payloadBytes & 3;
        Bth.put(headers, at, isUp ? UP : DOWN, 0, pad, DEFAULT_KEY, group & LOW_24, psn);
        BigEndian.put64(headers, at + SEQUENCE, sequence);
        BigEndian.put32(headers, at + ARITHMETIC, arithmetic);
    }

    static boolean isUp(MemorySegment headers, long at) {
        return BigEndian.u8(headers, at) == UP;
    }

    /// Turns a combination into the result.
    static void turn(MemorySegment headers, long at) {
        BigEndian.put8(headers, at, DOWN);
    }

    static long sequence(MemorySegment headers, long at) {
        return BigEndian.i64(headers, at + SEQUENCE);
    }

    static int arithmetic(MemorySegment headers, long at) {
        return BigEndian.i32(headers, at + ARITHMETIC);
    }
}
