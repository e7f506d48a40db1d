package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// IPv4 header without options, the only form that RoCE v2 allows (RFC 791, IBA annex A17).
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 7-4, 3-0 | version 4, header length in words 5 |
/// | 1 | | type of service: DSCP 7-2, ECN 1-0 |
/// | 2-3 | | total length |
/// | 4-5 | | identification, inside the ICRC |
/// | 6-7 | 14, 13, 12-0 | don't fragment, more fragments, fragment offset; inside the ICRC |
/// | 8, 9 | | time to live, protocol |
/// | 10-11 | | header checksum |
/// | 12-15, 16-19 | | source, destination |
public record Ipv4(
        int trafficClass,
        int totalLength,
        int id,
        int fragment,
        int timeToLive,
        int protocol,
        int checksum,
        int source,
        int destination)
        implements Ip {

    public static final int LENGTH = 20;
    public static final int VERSION = 4;

    /// The fragment field of a packet that must not be cut up, as RoCE v2 senders set it.
    public static final int DONT_FRAGMENT = 0x4000;

    /// The bits of the fragment field that a whole packet has clear.
    static final int FRAGMENTED = 0x3FFF;

    static final int TRAFFIC_CLASS = 1;
    static final int TOTAL_LENGTH = 2;
    static final int ID = 4;
    static final int FRAGMENT = 6;
    static final int TIME_TO_LIVE = 8;
    static final int PROTOCOL = 9;
    static final int CHECKSUM = 10;
    static final int SOURCE = 12;
    static final int DESTINATION = 16;

    /// Version 4 and five words of header.
    static final int VERSION_AND_LENGTH = 0x45;

    public Ipv4 {
        WireException.requireBits("ipv4 type of service", trafficClass, 8);
        WireException.requireBits("ipv4 total length", totalLength, 16);
        WireException.requireBits("ipv4 id", id, 16);
        WireException.requireBits("ipv4 fragment field", fragment, 16);
        WireException.requireBits("ipv4 time to live", timeToLive, 8);
        WireException.requireBits("ipv4 protocol", protocol, 8);
        WireException.requireBits("ipv4 checksum", checksum, 16);
    }

    public static int version(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at) >> 4;
    }

    public static int headerWords(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at) & 0xF;
    }

    public static int trafficClass(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + TRAFFIC_CLASS);
    }

    public static int totalLength(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + TOTAL_LENGTH);
    }

    public static int id(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + ID);
    }

    public static int fragment(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + FRAGMENT);
    }

    public static int timeToLive(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + TIME_TO_LIVE);
    }

    public static int protocol(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + PROTOCOL);
    }

    public static int checksum(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + CHECKSUM);
    }

    public static int source(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + SOURCE);
    }

    public static int destination(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + DESTINATION);
    }

    /// Whether the header sums to nothing, as a right one does.
    public static boolean checksumIsRight(MemorySegment segment, long at) {
        return InternetChecksum.fold(InternetChecksum.add(0, segment, at, LENGTH)) == 0;
    }

    public static Ipv4 parse(MemorySegment segment, long at) {
        return new Ipv4(
                trafficClass(segment, at),
                totalLength(segment, at),
                id(segment, at),
                fragment(segment, at),
                timeToLive(segment, at),
                protocol(segment, at),
                checksum(segment, at),
                source(segment, at),
                destination(segment, at));
    }

    /// Writes the header of a whole UDP packet that must not be cut up, with the right checksum.
    public static void put(
            MemorySegment segment,
            long at,
            int trafficClass,
            int totalLength,
            int timeToLive,
            int source,
            int destination) {
        BigEndian.put8(segment, at, VERSION_AND_LENGTH);
        BigEndian.put8(segment, at + TRAFFIC_CLASS, trafficClass);
        BigEndian.put16(segment, at + TOTAL_LENGTH, totalLength);
        BigEndian.put16(segment, at + ID, 0);
        BigEndian.put16(segment, at + FRAGMENT, DONT_FRAGMENT);
        BigEndian.put8(segment, at + TIME_TO_LIVE, timeToLive);
        BigEndian.put8(segment, at + PROTOCOL, Ip.UDP);
        BigEndian.put16(segment, at + CHECKSUM, 0);
        BigEndian.put32(segment, at + SOURCE, source);
        BigEndian.put32(segment, at + DESTINATION, destination);
        int sum = InternetChecksum.fold(InternetChecksum.add(0, segment, at, LENGTH));
        BigEndian.put16(segment, at + CHECKSUM, sum);
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        BigEndian.put8(segment, at, VERSION_AND_LENGTH);
        BigEndian.put8(segment, at + TRAFFIC_CLASS, trafficClass);
        BigEndian.put16(segment, at + TOTAL_LENGTH, totalLength);
        BigEndian.put16(segment, at + ID, id);
        BigEndian.put16(segment, at + FRAGMENT, fragment);
        BigEndian.put8(segment, at + TIME_TO_LIVE, timeToLive);
        BigEndian.put8(segment, at + PROTOCOL, protocol);
        BigEndian.put16(segment, at + CHECKSUM, checksum);
        BigEndian.put32(segment, at + SOURCE, source);
        BigEndian.put32(segment, at + DESTINATION, destination);
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public Gid sourceGid() {
        return Gid.ofIpv4(source);
    }

    @Override
    public Gid destinationGid() {
        return Gid.ofIpv4(destination);
    }

    @Override
    public Ipv4 sized(int payloadBytes) {
        int total = LENGTH + payloadBytes;
        return with(total, 0).withRightChecksum();
    }

    private Ipv4 withRightChecksum() {
        MemorySegment header = MemorySegment.ofArray(new byte[LENGTH]);
        emit(header, 0);
        return with(totalLength, InternetChecksum.fold(InternetChecksum.add(0, header, 0, LENGTH)));
    }

    private Ipv4 with(int newLength, int newChecksum) {
        return new Ipv4(
                trafficClass,
                newLength,
                id,
                fragment,
                timeToLive,
                protocol,
                newChecksum,
                source,
                destination);
    }
}
