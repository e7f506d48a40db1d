package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Global pause: the body of a MAC control frame that stops a whole link (IEEE 802.3 annex 31B).
///
/// | byte | field |
/// |---|---|
/// | 0-1 | opcode 0x0001 |
/// | 2-3 | time in quanta of 512 bit times; 0 lets the sender go on |
public record Pause(int quanta) {
    public static final int LENGTH = 4;
    public static final int OPCODE = 0x0001;

    private static final int QUANTA = 2;

    public Pause {
        WireException.requireBits("pause quanta", quanta, 16);
    }

    public static int quanta(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + QUANTA);
    }

    public static Pause parse(MemorySegment segment, long at) {
        return new Pause(quanta(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put16(segment, at, OPCODE);
        BigEndian.put16(segment, at + QUANTA, quanta);
    }
}
