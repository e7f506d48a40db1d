package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// UDP header (RFC 768).
///
/// | byte | field |
/// |---|---|
/// | 0-1, 2-3 | source port, destination port |
/// | 4-5 | length, with this header |
/// | 6-7 | checksum; RoCE senders put 0, and the ICRC takes it as ones |
///
/// The source port of RoCE v2 is entropy for ECMP and does not identify the sender.
public record Udp(int sourcePort, int destPort, int lengthBytes, int checksum) {
    public static final int LENGTH = 8;

    /// Where RoCE v2 packets go, answers too (IBA annex A17.3.1).
    public static final int ROCE_PORT = 4791;

    static final int SOURCE_PORT = 0;
    static final int DEST_PORT = 2;
    static final int LENGTH_BYTES = 4;
    static final int CHECKSUM = 6;

    public Udp {
        WireException.requireBits("udp source port", sourcePort, 16);
        WireException.requireBits("udp destination port", destPort, 16);
        WireException.requireBits("udp length", lengthBytes, 16);
        WireException.requireBits("udp checksum", checksum, 16);
    }

    /// The source port for a flow label, as Linux derives it: the label folded into the dynamic
    /// port range.
    public static int sourcePortOf(int flowLabel) {
        return 0xC000 | ((flowLabel & 0x3FFF) ^ ((flowLabel >> 14) & 0x3F));
    }

    public static int sourcePort(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + SOURCE_PORT);
    }

    public static int destPort(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + DEST_PORT);
    }

    public static int lengthBytes(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + LENGTH_BYTES);
    }

    public static int checksum(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + CHECKSUM);
    }

    public static Udp parse(MemorySegment segment, long at) {
        return new Udp(
                sourcePort(segment, at),
                destPort(segment, at),
                lengthBytes(segment, at),
                checksum(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put16(segment, at + SOURCE_PORT, sourcePort);
        BigEndian.put16(segment, at + DEST_PORT, destPort);
        BigEndian.put16(segment, at + LENGTH_BYTES, lengthBytes);
        BigEndian.put16(segment, at + CHECKSUM, checksum);
    }

    Udp sized(int payloadBytes) {
        return new Udp(sourcePort, destPort, LENGTH + payloadBytes, checksum);
    }
}
