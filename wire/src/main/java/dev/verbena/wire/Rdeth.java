package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Reliable datagram extended transport header (IBA 9.3.1): the end-to-end context of RD.
///
/// | byte | field |
/// |---|---|
/// | 0 | reserved |
/// | 1-3 | end-to-end context |
public record Rdeth(int endToEndContext) implements Eth {
    public static final int LENGTH = 4;

    private static final int EE_CONTEXT = 1;

    public Rdeth {
        WireException.requireBits("rdeth end-to-end context", endToEndContext, 24);
    }

    public static int endToEndContext(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + EE_CONTEXT);
    }

    public static void put(MemorySegment segment, long at, int endToEndContext) {
        assert endToEndContext >>> 24 == 0;
        BigEndian.put32(segment, at, endToEndContext);
    }

    public static Rdeth parse(MemorySegment segment, long at) {
        return new Rdeth(endToEndContext(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, endToEndContext);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.RDETH;
    }
}
