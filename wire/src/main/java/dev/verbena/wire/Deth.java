package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Datagram extended transport header (IBA 9.3.2): the queue key of the receiver and the sender's
/// queue pair.
///
/// | byte | field |
/// |---|---|
/// | 0-3 | Q_Key |
/// | 4 | reserved |
/// | 5-7 | source queue pair |
public record Deth(int qkey, int sourceQp) implements Eth {
    public static final int LENGTH = 8;

    /// The Q_Key of every GSI (QP1) packet (IBA 3.5.3).
    public static final int GSI_QKEY = 0x8001_0000;

    private static final int QKEY = 0;
    private static final int SOURCE_QP = 5;

    public Deth {
        WireException.requireBits("deth source qp", sourceQp, 24);
    }

    public static int qkey(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + QKEY);
    }

    public static int sourceQp(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + SOURCE_QP);
    }

    public static void put(MemorySegment segment, long at, int qkey, int sourceQp) {
        assert sourceQp >>> 24 == 0;
        BigEndian.put64(segment, at, ((long) qkey << 32) | sourceQp);
    }

    public static Deth parse(MemorySegment segment, long at) {
        return new Deth(qkey(segment, at), sourceQp(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, qkey, sourceQp);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.DETH;
    }
}
