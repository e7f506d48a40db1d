package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Extended reliable connection header (IBA annex A14): names the shared receive queue of a
/// request.
///
/// | byte | field |
/// |---|---|
/// | 0 | reserved |
/// | 1-3 | XRC shared receive queue number |
public record XrcEth(int sharedReceiveQueue) implements Eth {
    public static final int LENGTH = 4;

    private static final int XRC_SRQ = 1;

    public XrcEth {
        WireException.requireBits("xrceth srq", sharedReceiveQueue, 24);
    }

    public static int sharedReceiveQueue(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + XRC_SRQ);
    }

    public static void put(MemorySegment segment, long at, int sharedReceiveQueue) {
        assert sharedReceiveQueue >>> 24 == 0;
        BigEndian.put32(segment, at, sharedReceiveQueue);
    }

    public static XrcEth parse(MemorySegment segment, long at) {
        return new XrcEth(sharedReceiveQueue(segment, at));
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        put(segment, at, sharedReceiveQueue);
    }

    @Override
    public ExtendedHeader kind() {
        return ExtendedHeader.XRCETH;
    }
}
