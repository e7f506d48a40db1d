package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Invalidate extended transport header (IBA 9.3.7): the R_Key that the receiver gives up.
public record Ieth(int rkey) implements Eth {
    public static final int LENGTH = 4;

    public static int rkey(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at);
    }

    public static void put(MemorySegment segment, long at, int rkey) {
        BigEndian.put32(segment, at, rkey);
    }

    public static Ieth parse(MemorySegment segment, long at) {
        return new Ieth(rkey(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, rkey);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.IETH;
    }
}
