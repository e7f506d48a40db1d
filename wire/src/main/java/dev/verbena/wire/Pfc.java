package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Priority flow control: the body of a MAC control frame that stops single priorities (IEEE
/// 802.1Qbb).
///
/// | byte | field |
/// |---|---|
/// | 0-1 | opcode 0x0101 |
/// | 2-3 | enabled priorities, bit n for priority n |
/// | 4-19 | eight times in quanta of 512 bit times, priority 0 first |
///
/// An enabled priority with time 0 is let go on. The record keeps the eight times as they lie on
/// the wire, four to a long.
public record Pfc(int enabled, long quanta0to3, long quanta4to7) {
    public static final int LENGTH = 20;
    public static final int OPCODE = 0x0101;
    public static final int PRIORITIES = 8;

    private static final int ENABLED = 2;
    private static final int QUANTA = 4;

    public Pfc {
        WireException.requireBits("pfc enabled priorities", enabled, PRIORITIES);
    }

    /// A frame that sets one priority's time and leaves the others alone.
    public static Pfc of(int priority, int quanta) {
        WireException.requireBits("pfc priority", priority, 3);
        WireException.requireBits("pfc quanta", quanta, 16);
        long times = (long) quanta << shift(priority);
        return new Pfc(1 << priority, priority < 4 ? times : 0, priority < 4 ? 0 : times);
    }

    /// The enable vector; its upper byte is reserved.
    public static int enabled(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + ENABLED) & 0xFF;
    }

    public static int quanta(MemorySegment segment, long at, int priority) {
        assert priority >= 0 && priority < PRIORITIES;
        return BigEndian.u16(segment, at + QUANTA + 2L * priority);
    }

    public static Pfc parse(MemorySegment segment, long at) {
        return new Pfc(
                enabled(segment, at),
                BigEndian.i64(segment, at + QUANTA),
                BigEndian.i64(segment, at + QUANTA + 8));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put16(segment, at, OPCODE);
        BigEndian.put16(segment, at + ENABLED, enabled);
        BigEndian.put64(segment, at + QUANTA, quanta0to3);
        BigEndian.put64(segment, at + QUANTA + 8, quanta4to7);
    }

    public boolean isEnabled(int priority) {
        return ((enabled >> priority) & 1) != 0;
    }

    public int quanta(int priority) {
        return (int) ((priority < 4 ? quanta0to3 : quanta4to7) >> shift(priority)) & 0xFFFF;
    }

    private static int shift(int priority) {
        return 48 - 16 * (priority & 3);
    }
}
