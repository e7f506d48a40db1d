package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Local route header (IBA 7.7): how a packet crosses one InfiniBand subnet.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 7-4, 3-0 | virtual lane, link version |
/// | 1 | 7-4, 3-2, 1-0 | service level, reserved, link next header |
/// | 2-3 | | destination LID |
/// | 4-5 | 15-11, 10-0 | reserved, packet length in 4-byte words |
/// | 6-7 | | source LID |
///
/// The length counts from the first LRH byte through the ICRC; the VCRC is outside.
public record Lrh(
        int virtualLane,
        int version,
        int serviceLevel,
        int nextHeader,
        int destLid,
        int lengthWords,
        int sourceLid) {

    public static final int LENGTH = 8;
    public static final int VERSION = 0;

    /// Link next header: a raw packet with an EtherType, a raw IPv6 packet, a BTH, or a GRH.
    public static final int RAW_ETHERTYPE = 0;

    public static final int RAW_IPV6 = 1;
    public static final int IBA_LOCAL = 2;
    public static final int IBA_GLOBAL = 3;

    private static final int LANE = 0;
    private static final int LEVEL = 1;
    private static final int DEST_LID = 2;
    private static final int LENGTH_WORDS = 4;
    private static final int SOURCE_LID = 6;

    public Lrh {
        WireException.requireBits("lrh vl", virtualLane, 4);
        WireException.requireBits("lrh version", version, 4);
        WireException.requireBits("lrh sl", serviceLevel, 4);
        WireException.requireBits("lrh next header", nextHeader, 2);
        WireException.requireBits("lrh dlid", destLid, 16);
        WireException.requireBits("lrh length", lengthWords, 11);
        WireException.requireBits("lrh slid", sourceLid, 16);
    }

    public static int virtualLane(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + LANE) >> 4;
    }

    public static int version(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + LANE) & 0xF;
    }

    public static int serviceLevel(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + LEVEL) >> 4;
    }

    public static int nextHeader(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + LEVEL) & 3;
    }

    public static int destLid(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + DEST_LID);
    }

    public static int lengthWords(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + LENGTH_WORDS) & 0x7FF;
    }

    public static int sourceLid(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + SOURCE_LID);
    }

    public static Lrh parse(MemorySegment segment, long at) {
        return new Lrh(
                virtualLane(segment, at),
                version(segment, at),
                serviceLevel(segment, at),
                nextHeader(segment, at),
                destLid(segment, at),
                lengthWords(segment, at),
                sourceLid(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put8(segment, at + LANE, (virtualLane << 4) | version);
        BigEndian.put8(segment, at + LEVEL, (serviceLevel << 4) | nextHeader);
        BigEndian.put16(segment, at + DEST_LID, destLid);
        BigEndian.put16(segment, at + LENGTH_WORDS, lengthWords);
        BigEndian.put16(segment, at + SOURCE_LID, sourceLid);
    }

    Lrh withLengthWords(int words) {
        return new Lrh(virtualLane, version, serviceLevel, nextHeader, destLid, words, sourceLid);
    }
}
