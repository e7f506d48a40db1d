package dev.verbena.wire.capture;

import dev.verbena.wire.WireException;

/// The type of the first header of a captured packet, by its number in the public LINKTYPE list.
///
/// Any 16-bit code is a value, whether named here or not.
public record LinkType(int code) {
    public static final LinkType ETHERNET = new LinkType(1);

    /// For private use; Wireshark can be configured to read it as InfiniBand.
    public static final LinkType USER0 = new LinkType(147);

    /// One [Erf] record per packet.
    public static final LinkType ERF = new LinkType(197);

    /// A packet that starts with its LRH.
    public static final LinkType INFINIBAND = new LinkType(247);

    public LinkType {
        WireException.requireBits("link type", code, 16);
    }

    @Override
    public String toString() {
        return switch (code) {
            case 1 -> "Ethernet";
            case 147 -> "user 0";
            case 197 -> "ERF";
            case 247 -> "InfiniBand";
            default -> "link type " + code;
        };
    }
}
