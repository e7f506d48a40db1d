package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Flush extended transport header (IBA annex A19): how far a FLUSH must push the data.
///
/// | bits of the big-endian word | field |
/// |---|---|
/// | 31-6 | reserved |
/// | 5-4 | selectivity: 0 a range, 1 the whole region |
/// | 3-0 | placement types asked for: 1 globally visible, 2 persistent |
public record Feth(int selectivity, int placement) implements Eth {
    public static final int LENGTH = 4;

    public Feth {
        WireException.requireBits("feth selectivity", selectivity, 2);
        WireException.requireBits("feth placement", placement, 4);
    }

    public static int selectivity(MemorySegment segment, long at) {
        return (BigEndian.i32(segment, at) >> 4) & 3;
    }

    public static int placement(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at) & 0xF;
    }

    public static void put(MemorySegment segment, long at, int selectivity, int placement) {
        assert (selectivity & ~3) == 0 && (placement & ~0xF) == 0;
        BigEndian.put32(segment, at, (selectivity << 4) | placement);
    }

    public static Feth parse(MemorySegment segment, long at) {
        return new Feth(selectivity(segment, at), placement(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, selectivity, placement);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.FETH;
    }
}
