package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Global route header (IBA 8.3): the shape of an IPv6 header, between subnets and in RoCE v1.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0-3 | 31-28, 27-20, 19-0 | IP version 6, traffic class, flow label |
/// | 4-5 | | payload length: bytes after the GRH through the ICRC |
/// | 6 | | next header, 0x1B for IBA transport |
/// | 7 | | hop limit |
/// | 8-23 | | source GID |
/// | 24-39 | | destination GID |
public record Grh(
        int version,
        int trafficClass,
        int flowLabel,
        int payloadLength,
        int nextHeader,
        int hopLimit,
        Gid source,
        Gid destination) {

    public static final int LENGTH = 40;
    public static final int VERSION = 6;

    /// Next header of a BTH (IBA 8.3.3).
    public static final int IBA_TRANSPORT = 0x1B;

    private static final int PAYLOAD_LENGTH = 4;
    private static final int NEXT_HEADER = 6;
    private static final int HOP_LIMIT = 7;
    private static final int SOURCE = 8;
    private static final int DESTINATION = 24;

    public Grh {
        WireException.requireBits("grh version", version, 4);
        WireException.requireBits("grh traffic class", trafficClass, 8);
        WireException.requireBits("grh flow label", flowLabel, 20);
        WireException.requireBits("grh payload length", payloadLength, 16);
        WireException.requireBits("grh next header", nextHeader, 8);
        WireException.requireBits("grh hop limit", hopLimit, 8);
    }

    public static int version(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at) >> 4;
    }

    public static int trafficClass(MemorySegment segment, long at) {
        return (BigEndian.u16(segment, at) >> 4) & 0xFF;
    }

    public static int flowLabel(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at) & 0xF_FFFF;
    }

    public static int payloadLength(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + PAYLOAD_LENGTH);
    }

    public static int nextHeader(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + NEXT_HEADER);
    }

    public static int hopLimit(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + HOP_LIMIT);
    }

    public static Gid source(MemorySegment segment, long at) {
        return Gid.parse(segment, at + SOURCE);
    }

    public static Gid destination(MemorySegment segment, long at) {
        return Gid.parse(segment, at + DESTINATION);
    }

    public static Grh parse(MemorySegment segment, long at) {
        return new Grh(
                version(segment, at),
                trafficClass(segment, at),
                flowLabel(segment, at),
                payloadLength(segment, at),
                nextHeader(segment, at),
                hopLimit(segment, at),
                source(segment, at),
                destination(segment, at));
    }

    /// Writes all but the GIDs, of version 6.
    public static void put(
            MemorySegment segment,
            long at,
            int trafficClass,
            int flowLabel,
            int payloadLength,
            int nextHeader,
            int hopLimit) {
        BigEndian.put32(segment, at, (VERSION << 28) | (trafficClass << 20) | flowLabel);
        BigEndian.put16(segment, at + PAYLOAD_LENGTH, payloadLength);
        BigEndian.put8(segment, at + NEXT_HEADER, nextHeader);
        BigEndian.put8(segment, at + HOP_LIMIT, hopLimit);
    }

    /// Writes the GIDs, each as its two halves.
    public static void putGids(
            MemorySegment segment,
            long at,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow) {
        BigEndian.put64(segment, at + SOURCE, sourceHigh);
        BigEndian.put64(segment, at + SOURCE + 8, sourceLow);
        BigEndian.put64(segment, at + DESTINATION, destinationHigh);
        BigEndian.put64(segment, at + DESTINATION + 8, destinationLow);
    }

    public void emit(MemorySegment segment, long at) {
        put(segment, at, trafficClass, flowLabel, payloadLength, nextHeader, hopLimit);
        // A record may hold a version that does not exist.
        BigEndian.put32(segment, at, (version << 28) | (trafficClass << 20) | flowLabel);
        source.emit(segment, at + SOURCE);
        destination.emit(segment, at + DESTINATION);
    }

    Grh withPayloadLength(int bytes) {
        return new Grh(
                version, trafficClass, flowLabel, bytes, nextHeader, hopLimit, source, destination);
    }
}
