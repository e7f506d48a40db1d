package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Atomic extended transport header (IBA 9.3.4): the word to change and the operands.
///
/// | byte | field |
/// |---|---|
/// | 0-7 | virtual address |
/// | 8-11 | R_Key |
/// | 12-19 | swap value, or the value to add |
/// | 20-27 | compare value; zero in FETCH_ADD |
///
/// The swap value stands before the compare value, unlike in most APIs.
public record AtomicEth(long address, int rkey, long swapOrAdd, long compare) implements Eth {
    public static final int LENGTH = 28;

    private static final int ADDRESS = 0;
    private static final int RKEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    public static long address(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + ADDRESS);
    }

    public static int rkey(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + RKEY);
    }

    public static long swapOrAdd(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + SWAP_OR_ADD);
    }

    public static long compare(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + COMPARE);
    }

    public static void put(
            MemorySegment segment, long at, long address, int rkey, long swapOrAdd, long compare) {
        BigEndian.put64(segment, at + ADDRESS, address);
        BigEndian.put32(segment, at + RKEY, rkey);
        BigEndian.put64(segment, at + SWAP_OR_ADD, swapOrAdd);
        BigEndian.put64(segment, at + COMPARE, compare);
    }

    public static AtomicEth parse(MemorySegment segment, long at) {
        return new AtomicEth(
                address(segment, at),
                rkey(segment, at),
                swapOrAdd(segment, at),
                compare(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, address, rkey, swapOrAdd, compare);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.ATOMIC_ETH;
    }
}
