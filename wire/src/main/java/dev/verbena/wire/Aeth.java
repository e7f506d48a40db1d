package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Acknowledge extended transport header (IBA 9.3.5): the verdict of a responder.
///
/// | byte | field |
/// |---|---|
/// | 0 | syndrome, see [AethSyndrome] |
/// | 1-3 | message sequence number |
public record Aeth(int syndrome, int msn) implements Eth {
    public static final int LENGTH = 4;

    private static final int SYNDROME = 0;
    private static final int MSN = 1;

    public Aeth {
        WireException.requireBits("aeth syndrome", syndrome, 8);
        WireException.requireBits("aeth msn", msn, 24);
    }

    public static int syndrome(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + SYNDROME);
    }

    public static int msn(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + MSN);
    }

    public static void put(MemorySegment segment, long at, int syndrome, int msn) {
        assert syndrome >>> 8 == 0 && msn >>> 24 == 0;
        BigEndian.put32(segment, at, (syndrome << 24) | msn);
    }

    public static Aeth parse(MemorySegment segment, long at) {
        return new Aeth(syndrome(segment, at), msn(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, syndrome, msn);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.AETH;
    }
}
