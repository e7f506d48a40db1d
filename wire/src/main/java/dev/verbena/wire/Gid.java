package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Placeholder.
public record Gid(long high, long low) {
    public static Gid parse(MemorySegment segment, long at) {
        return new Gid(BigEndian.i64(segment, at), BigEndian.i64(segment, at + 8));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put64(segment, at, high);
        BigEndian.put64(segment, at + 8, low);
    }

    public static Gid ofIpv4(int a) {
        return new Gid(0, 0xFFFF_0000_0000L | (a & 0xFFFF_FFFFL));
    }
}
