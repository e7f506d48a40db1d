package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Selective acknowledgement extended header, Verbena's own: which packets came before those in
/// front of them and are in their place already.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 8 | reserved |
/// | 1 | 24 | start: the PSN that is expected next |
/// | 4 | 8 | reserved |
/// | 5 | 24 | seen: the PSN of the packet that came last, kept or not |
/// | 8 | 32 bytes | map: four words of 64 bits |
///
/// Bit `i` of the map, the bit of value `2^(i mod 64)` in word `i / 64`, stands for the PSN `start
/// + 1 + i`.
///
/// A decision page has the reasons: docs/decisions/0050-selective-repeat.md.
public record SackEth(int start, int seen, long first, long second, long third, long fourth)
        implements Eth {
    public static final int LENGTH = 40;

    /// Words of the map.
    public static final int WORDS = 4;

    /// Sequence numbers that the map can tell of, those behind [#start].
    public static final int REACH = WORDS * Long.SIZE;

    private static final int START = 0;
    private static final int SEEN = 4;
    private static final int MAP = 8;

    public SackEth {
        WireException.requireBits("sack start", start, 24);
        WireException.requireBits("sack seen", seen, 24);
    }

    public static int start(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + START) & Psn.MASK;
    }

    public static int seen(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + SEEN) & Psn.MASK;
    }

    public static long word(MemorySegment segment, long at, int word) {
        assert word >= 0 && word < WORDS;
        return BigEndian.i64(segment, at + MAP + (long) word * Long.BYTES);
    }

    /// Writes all but the map.
    public static void put(MemorySegment segment, long at, int start, int seen) {
        assert ((start | seen) & ~Psn.MASK) == 0;
        BigEndian.put32(segment, at + START, start);
        BigEndian.put32(segment, at + SEEN, seen);
    }

    public static void putWord(MemorySegment segment, long at, int word, long bits) {
        assert word >= 0 && word < WORDS;
        BigEndian.put64(segment, at + MAP + (long) word * Long.BYTES, bits);
    }

    public static SackEth parse(MemorySegment segment, long at) {
        return new SackEth(
                start(segment, at),
                seen(segment, at),
                word(segment, at, 0),
                word(segment, at, 1),
                word(segment, at, 2),
                word(segment, at, 3));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, start, seen);
        putWord(segment, at, 0, first);
        putWord(segment, at, 1, second);
        putWord(segment, at, 2, third);
        putWord(segment, at, 3, fourth);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.SACK_ETH;
    }
}
