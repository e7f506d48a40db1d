package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Link flow-control packet (IBA 7.9.4): grants credits for one virtual lane of a native link.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0-1 | 15-12, 11-0 | operation, blocks sent in all (FCTBS) modulo 4096 |
/// | 2-3 | 15-12, 11-0 | virtual lane, credit limit (FCCL) modulo 4096 |
/// | 4-5 | | LPCRC: a [Vcrc] over the first four bytes |
public record FlowControl(int operation, int totalSent, int virtualLane, int creditLimit) {
    public static final int LENGTH = 6;

    public static final int NORMAL = 0;
    public static final int INITIALIZE = 1;

    private static final int SENT = 0;
    private static final int CREDIT = 2;
    private static final int LPCRC = 4;

    public FlowControl {
        WireException.requireBits("flow control operation", operation, 4);
        WireException.requireBits("flow control fctbs", totalSent, 12);
        WireException.requireBits("flow control vl", virtualLane, 4);
        WireException.requireBits("flow control fccl", creditLimit, 12);
    }

    /// The door: length, checksum, operation, in this order.
    public static Verdict check(MemorySegment segment, long at, int length) {
        if (length != LENGTH) {
            return Verdict.FLOW_CONTROL_LENGTH;
        }
        if (Vcrc.compute(segment, at, LPCRC) != Vcrc.stored(segment, at + LPCRC)) {
            return Verdict.LPCRC_WRONG;
        }
        return operation(segment, at) <= INITIALIZE ? Verdict.OK : Verdict.FLOW_CONTROL_OPERATION;
    }

    public static int operation(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + SENT) >> 12;
    }

    public static int totalSent(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + SENT) & 0xFFF;
    }

    public static int virtualLane(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + CREDIT) >> 12;
    }

    public static int creditLimit(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + CREDIT) & 0xFFF;
    }

    /// Writes a packet from running counters, which count modulo 4096 on the wire.
    public static void put(
            MemorySegment segment,
            long at,
            int operation,
            int totalSent,
            int virtualLane,
            int creditLimit) {
        assert operation >>> 4 == 0 && virtualLane >>> 4 == 0;
        BigEndian.put16(segment, at + SENT, (operation << 12) | (totalSent & 0xFFF));
        BigEndian.put16(segment, at + CREDIT, (virtualLane << 12) | (creditLimit & 0xFFF));
        Vcrc.store(segment, at + LPCRC, Vcrc.compute(segment, at, LPCRC));
    }

    public static FlowControl parse(MemorySegment segment, long at) {
        return new FlowControl(
                operation(segment, at),
                totalSent(segment, at),
                virtualLane(segment, at),
                creditLimit(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        put(segment, at, operation, totalSent, virtualLane, creditLimit);
    }
}
