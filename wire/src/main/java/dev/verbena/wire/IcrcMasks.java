package dev.verbena.wire;

/// Which header bits the ICRC takes as ones, because switches and routers may change them (IBA
/// 7.8.1, annex A17).
///
/// Masks are or-ed onto the network headers and the BTH, eight bytes at a time, from the first
/// header that the ICRC covers; bytes behind the last mask count as they are.
final class IcrcMasks {
    /// Traffic class, flow label and hop limit of the first eight bytes of a GRH or IPv6 header.
    private static final long IPV6_SHAPE = 0x0FFF_FFFF_0000_00FFL;

    /// The reserved byte of the BTH, with FECN and BECN: byte 4.
    private static final long BTH = 0x0000_0000_FF00_0000L;

    /// LRH: only the virtual lane changes on the way through one subnet.
    private static final long[] IB_LOCAL = {0xF000_0000_0000_0000L, BTH};

    /// From the GRH on; the LRH in front of it counts as ones altogether.
    private static final long[] GLOBAL = {IPV6_SHAPE, 0, 0, 0, 0, BTH};

    /// Type of service; time to live and header checksum; UDP checksum; the BTH byte, which is the
    /// first of the fifth word because an IPv4 and a UDP header are 28 bytes.
    private static final long[] IPV4 = {
        0x00FF_0000_0000_0000L,
        0xFF00_FFFF_0000_0000L,
        0,
        0x0000_FFFF_0000_0000L,
        0xFF00_0000_0000_0000L
    };

    private static final long[] IPV6 = {IPV6_SHAPE, 0, 0, 0, 0, 0x0000_0000_0000_FFFFL, BTH};

    private IcrcMasks() {}

    static long[] of(Encapsulation encapsulation) {
        return switch (encapsulation) {
            case IB_LOCAL -> IB_LOCAL;
            case IB_GLOBAL, ROCE_V1 -> GLOBAL;
            case ROCE_V2_IPV4 -> IPV4;
            case ROCE_V2_IPV6 -> IPV6;
            case BARE ->
                    throw new WireException(
                            "a bare packet has no network headers; use an IcrcPseudoHeader");
        };
    }
}
