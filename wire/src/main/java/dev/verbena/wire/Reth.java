package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// RDMA extended transport header (IBA 9.3.3): the remote memory of a READ or WRITE.
///
/// | byte | field |
/// |---|---|
/// | 0-7 | virtual address |
/// | 8-11 | R_Key |
/// | 12-15 | length of the whole message, not of this packet |
public record Reth(long address, int rkey, long lengthBytes) implements Eth {
    public static final int LENGTH = 16;

    private static final int ADDRESS = 0;
    private static final int RKEY = 8;
    private static final int LENGTH_BYTES = 12;

    public Reth {
        WireException.requireBits("reth length", lengthBytes, 32);
    }

    public static long address(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + ADDRESS);
    }

    public static int rkey(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + RKEY);
    }

    public static long lengthBytes(MemorySegment segment, long at) {
        return BigEndian.u32(segment, at + LENGTH_BYTES);
    }

    public static void put(
            MemorySegment segment, long at, long address, int rkey, long lengthBytes) {
        assert lengthBytes >>> 32 == 0;
        BigEndian.put64(segment, at + ADDRESS, address);
        BigEndian.put64(segment, at + RKEY, ((long) rkey << 32) | lengthBytes);
    }

    public static Reth parse(MemorySegment segment, long at) {
        return new Reth(address(segment, at), rkey(segment, at), lengthBytes(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, address, rkey, lengthBytes);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.RETH;
    }
}
