package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Atomic acknowledge header (IBA 9.5.3): the value of the remote word before the operation.
///
/// | byte | field |
/// |---|---|
/// | 0-7 | original remote data |
public record AtomicAckEth(long original) implements Eth {
    public static final int LENGTH = 8;

    public static long original(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at);
    }

    public static void put(MemorySegment segment, long at, long original) {
        BigEndian.put64(segment, at, original);
    }

    public static AtomicAckEth parse(MemorySegment segment, long at) {
        return new AtomicAckEth(original(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, original);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.ATOMIC_ACK_ETH;
    }
}
