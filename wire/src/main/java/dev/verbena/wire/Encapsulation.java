package dev.verbena.wire;

/// The headers before a BTH.
public enum Encapsulation {
    /// LRH; VCRC behind the ICRC.
    IB_LOCAL("IB"),
    /// LRH and GRH; VCRC behind the ICRC.
    IB_GLOBAL("IB-GRH"),
    /// Ethernet and GRH.
    ROCE_V1("RoCEv1"),
    /// Ethernet, IPv4 and UDP.
    ROCE_V2_IPV4("RoCEv2"),
    /// Ethernet, IPv6 and UDP.
    ROCE_V2_IPV6("RoCEv2"),
    /// Nothing: the payload of a UDP socket, whose headers the kernel kept.
    BARE("bare");

    private final String title;

    Encapsulation(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /// Whether the packet crosses InfiniBand links, and so carries an LRH and a VCRC.
    public boolean isNative() {
        return this == IB_LOCAL || this == IB_GLOBAL;
    }
}
