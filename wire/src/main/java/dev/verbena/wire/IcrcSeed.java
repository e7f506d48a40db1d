package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Which header bits the ICRC takes as ones, because switches and routers may change them (IBA
/// 7.8.1, annex A17), as a seed for the CRC of a packet that lies as it came.
final class IcrcSeed {
    private static final int VIRTUAL_LANE = 0xF0;
    private static final int TRAFFIC_CLASS_HIGH = 0x0F;
    private static final int ALL = 0xFF;

    /// Where bytes that count as ones are.
    private static final int HOP_LIMIT = 7;

    private static final int BTH_CONGESTION = 4;

    /// Nothing in front of the packet.
    private static final int BLANK = CrcSeed.behind(0);

    /// Eight bytes of ones in front of the packet, of which this is the CRC-32.
    private static final int ONES = CrcSeed.behind(0x2144_DF1C);

    private IcrcSeed() {}

    /// The seed of a packet whose LRH, or in RoCE whose GRH or IP header, is at `at`. With a GRH,
    /// the LRH counts as ones altogether, and the packet starts at the GRH.
    static int of(Encapsulation encapsulation, MemorySegment segment, long at) {
        return switch (encapsulation) {
            case IB_LOCAL ->
                    BLANK ^ ones(segment, at, 0, VIRTUAL_LANE) ^ bth(segment, at, Lrh.LENGTH);
            case IB_GLOBAL, ROCE_V1 -> ONES ^ ipv6(segment, at) ^ bth(segment, at, Grh.LENGTH);
            case ROCE_V2_IPV4 -> ONES ^ ipv4(segment, at) ^ udp4(segment, at);
            case ROCE_V2_IPV6 ->
                    ONES
                            ^ ipv6(segment, at)
                            ^ ones16(segment, at, Ipv6.LENGTH + Udp.CHECKSUM)
                            ^ bth(segment, at, Ipv6.LENGTH + Udp.LENGTH);
            case BARE ->
                    throw new WireException(
                            "a bare packet has no network headers; use an IcrcPseudoHeader");
        };
    }

    /// The change that a BTH causes, `distance` bytes after its start: its reserved byte, with FECN
    /// and BECN.
    static int bth(MemorySegment segment, long at, int distance) {
        return ones(segment, at, distance + BTH_CONGESTION, ALL);
    }

    /// The change that a BTH causes directly after it, compared to one of zeros whose reserved byte
    /// is ones.
    static int behindBth(MemorySegment segment, long at) {
        long first = BigEndian.i64(segment, at);
        int rest = BigEndian.i32(segment, at + Long.BYTES);
        int opcode = CrcSeed.change16((int) (first >>> 48), -12);
        int partition = CrcSeed.change16((int) (first >>> 32), -10);
        int queue = CrcSeed.change((int) (first >>> 16), -7) ^ CrcSeed.change16((int) first, -6);
        int sequence = CrcSeed.change16(rest >>> 16, -4) ^ CrcSeed.change16(rest, -2);
        return opcode ^ partition ^ queue ^ sequence;
    }

    /// Type of service, time to live and header checksum of an IPv4 header.
    private static int ipv4(MemorySegment segment, long at) {
        // One read for two bytes that are seven apart.
        long both = ~BigEndian.i64(segment, at + Ipv4.TRAFFIC_CLASS);
        return CrcSeed.change((int) (both >>> 56), Ipv4.TRAFFIC_CLASS)
                ^ CrcSeed.change((int) both, Ipv4.TIME_TO_LIVE)
                ^ ones16(segment, at, Ipv4.CHECKSUM);
    }

    /// The checksum of a UDP header behind IPv4, and the BTH's byte.
    private static int udp4(MemorySegment segment, long at) {
        int checksum = Ipv4.LENGTH + Udp.CHECKSUM;
        int congestion = Ipv4.LENGTH + Udp.LENGTH + BTH_CONGESTION;
        long both = ~BigEndian.i64(segment, at + checksum);
        return CrcSeed.change16((int) (both >>> 48), checksum)
                ^ CrcSeed.change((int) (both >>> 8), congestion);
    }

    /// Traffic class, flow label and hop limit of an IPv6 header or a GRH.
    private static int ipv6(MemorySegment segment, long at) {
        return ones(segment, at, 0, TRAFFIC_CLASS_HIGH)
                ^ ones(segment, at, 1, ALL)
                ^ ones16(segment, at, 2)
                ^ ones(segment, at, HOP_LIMIT, ALL);
    }

    private static int ones(MemorySegment segment, long at, int distance, int bits) {
        return CrcSeed.change(~BigEndian.u8(segment, at + distance) & bits, distance);
    }

    private static int ones16(MemorySegment segment, long at, int distance) {
        return CrcSeed.change16(~BigEndian.u16(segment, at + distance), distance);
    }
}
