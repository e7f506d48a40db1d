package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Immediate data (IBA 9.3.6): four opaque bytes for the receiver's completion.
///
/// Carried here as the big-endian number of those bytes.
public record ImmDt(int data) implements Eth {
    public static final int LENGTH = 4;

    public static int data(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at);
    }

    public static void put(MemorySegment segment, long at, int data) {
        BigEndian.put32(segment, at, data);
    }

    public static ImmDt parse(MemorySegment segment, long at) {
        return new ImmDt(data(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, data);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.IMM_DT;
    }
}
