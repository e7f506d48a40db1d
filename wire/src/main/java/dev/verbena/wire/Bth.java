package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Base transport header (IBA 9.2): the twelve bytes that every transport packet starts with.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 7-0 | opcode: service in 7-5, operation in 4-0 |
/// | 1 | 7, 6, 5-4, 3-0 | solicited event, migration request, pad count, transport version |
/// | 2-3 | | P_Key |
/// | 4 | 7, 6, 5-0 | FECN, BECN, reserved; the ICRC takes the whole byte as ones |
/// | 5-7 | | destination queue pair |
/// | 8 | 7, 6-0 | acknowledge request, reserved |
/// | 9-11 | | packet sequence number |
public record Bth(
        int opcode,
        boolean solicited,
        boolean migration,
        int padCount,
        int version,
        int pkey,
        boolean fecn,
        boolean becn,
        int destQp,
        boolean ackRequest,
        int psn) {

    public static final int LENGTH = 12;

    /// The only transport version there is; other values are dropped (IBA 9.6.1.1.1).
    public static final int VERSION = 0;

    /// Flag bits of [#put], as they lie in byte 1 and, for the acknowledge request, in byte 8.
    public static final int SOLICITED = 0x80;

    public static final int MIGRATION = 0x40;
    public static final int ACK_REQUEST = 0x100;

    private static final int OPCODE = 0;
    private static final int FLAGS = 1;
    private static final int PKEY = 2;
    private static final int CONGESTION = 4;
    private static final int DEST_QP = 5;
    private static final int ACK = 8;
    private static final int PSN = 9;

    private static final int FECN = 0x80;
    private static final int BECN = 0x40;

    public Bth {
        WireException.requireBits("bth opcode", opcode, 8);
        WireException.requireBits("bth pad count", padCount, 2);
        WireException.requireBits("bth version", version, 4);
        WireException.requireBits("bth p_key", pkey, 16);
        WireException.requireBits("bth destination qp", destQp, 24);
        WireException.requireBits("bth psn", psn, 24);
    }

    /// A header with no flag set, in the default partition.
    public static Bth of(Opcode opcode, int destQp, int psn) {
        return new Bth(
                opcode.code(),
                false,
                false,
                0,
                VERSION,
                Pkey.DEFAULT_FULL,
                false,
                false,
                destQp,
                false,
                psn);
    }

    public static int opcode(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + OPCODE);
    }

    public static boolean solicited(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + FLAGS) & SOLICITED) != 0;
    }

    public static boolean migration(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + FLAGS) & MIGRATION) != 0;
    }

    public static int padCount(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + FLAGS) >> 4) & 3;
    }

    public static int version(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + FLAGS) & 0xF;
    }

    public static int pkey(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + PKEY);
    }

    public static boolean fecn(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + CONGESTION) & FECN) != 0;
    }

    public static boolean becn(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + CONGESTION) & BECN) != 0;
    }

    public static int destQp(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + DEST_QP);
    }

    public static boolean ackRequest(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + ACK) >> 7 != 0;
    }

    public static int psn(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + PSN);
    }

    /// Writes a whole header without congestion marks; `flags` is made of [#SOLICITED],
    /// [#MIGRATION] and [#ACK_REQUEST].
    public static void put(
            MemorySegment segment,
            long at,
            int opcode,
            int flags,
            int padCount,
            int pkey,
            int destQp,
            int psn) {
        assert (padCount & ~3) == 0 && destQp >>> 24 == 0 && psn >>> 24 == 0;
        int first = (opcode << 24) | ((flags & 0xC0) << 16) | (padCount << 20) | (pkey & 0xFFFF);
        int ack = (flags & ACK_REQUEST) << 23;
        BigEndian.put64(segment, at, ((long) first << 32) | destQp);
        BigEndian.put32(segment, at + ACK, ack | psn);
    }

    /// Marks a written header; neither bit is inside the ICRC.
    public static void putCongestion(MemorySegment segment, long at, boolean fecn, boolean becn) {
        BigEndian.put8(segment, at + CONGESTION, (fecn ? FECN : 0) | (becn ? BECN : 0));
    }

    public static Bth parse(MemorySegment segment, long at) {
        return new Bth(
                opcode(segment, at),
                solicited(segment, at),
                migration(segment, at),
                padCount(segment, at),
                version(segment, at),
                pkey(segment, at),
                fecn(segment, at),
                becn(segment, at),
                destQp(segment, at),
                ackRequest(segment, at),
                psn(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        int flags =
                (solicited ? SOLICITED : 0)
                        | (migration ? MIGRATION : 0)
                        | (ackRequest ? ACK_REQUEST : 0);
        put(segment, at, opcode, flags, padCount, pkey, destQp, psn);
        BigEndian.put8(segment, at + FLAGS, (flags & 0xC0) | (padCount << 4) | version);
        putCongestion(segment, at, fecn, becn);
    }

    public Bth withPadCount(int count) {
        return new Bth(
                opcode,
                solicited,
                migration,
                count,
                version,
                pkey,
                fecn,
                becn,
                destQp,
                ackRequest,
                psn);
    }
}
