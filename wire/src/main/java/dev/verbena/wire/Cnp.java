package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Congestion notification packet of RoCE v2 (IBA annex A17.9.3): a receiver that saw the CE mark
/// asks the sender to slow down.
///
/// A BTH with opcode 0x81, BECN set and PSN 0, then sixteen reserved bytes. The destination queue
/// pair is the one that sent the marked packets.
public final class Cnp {
    public static final int RESERVED_BYTES = 16;

    /// BTH through ICRC.
    public static final int TRANSPORT_LENGTH = Bth.LENGTH + RESERVED_BYTES + Icrc.LENGTH;

    private Cnp() {}

    /// Writes the BTH alone.
    public static void putHeader(MemorySegment segment, long at, int pkey, int destQp) {
        Bth.put(segment, at, Opcode.CNP.code(), 0, 0, pkey, destQp, 0);
        Bth.putCongestion(segment, at, false, true);
    }

    /// Writes everything from the BTH up to the ICRC.
    public static void put(MemorySegment segment, long at, int pkey, int destQp) {
        putHeader(segment, at, pkey, destQp);
        segment.asSlice(at + Bth.LENGTH, RESERVED_BYTES).fill((byte) 0);
    }
}
