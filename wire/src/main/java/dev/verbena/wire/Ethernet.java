package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Ethernet header, with its 802.1Q tag if there is one.
///
/// | byte | field |
/// |---|---|
/// | 0-5 | destination |
/// | 6-11 | source |
/// | 12-13 | EtherType, or 0x8100 and then the tag and the EtherType proper |
public record Ethernet(
        MacAddress destination, MacAddress source, Optional<Vlan> vlan, int etherType) {

    /// Length without a tag.
    public static final int LENGTH = 14;

    /// The shortest frame a sender may emit, without its FCS; shorter ones are filled with zeros.
    public static final int MIN_FRAME = 60;

    public static final int TYPE_IPV4 = 0x0800;
    public static final int TYPE_VLAN = 0x8100;
    public static final int TYPE_IPV6 = 0x86DD;
    public static final int TYPE_MAC_CONTROL = 0x8808;
    public static final int TYPE_LLDP = 0x88CC;
    public static final int TYPE_ROCE_V1 = 0x8915;

    private static final int DESTINATION = 0;
    private static final int SOURCE = 6;
    private static final int TYPE = 12;

    public Ethernet {
        WireException.requireBits("ethernet type", etherType, 16);
    }

    public static Ethernet of(MacAddress destination, MacAddress source, int etherType) {
        return new Ethernet(destination, source, Optional.empty(), etherType);
    }

    public static boolean tagged(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + TYPE) == TYPE_VLAN;
    }

    /// The EtherType after the header and its tag.
    public static int etherType(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + length(segment, at) - 2);
    }

    /// Length of the header at hand, 14 or 18 bytes.
    public static int length(MemorySegment segment, long at) {
        return tagged(segment, at) ? LENGTH + Vlan.LENGTH : LENGTH;
    }

    public static Ethernet parse(MemorySegment segment, long at) {
        return new Ethernet(
                MacAddress.parse(segment, at + DESTINATION),
                MacAddress.parse(segment, at + SOURCE),
                tagged(segment, at)
                        ? Optional.of(Vlan.parse(segment, at + LENGTH))
                        : Optional.empty(),
                etherType(segment, at));
    }

    public int length() {
        return vlan.isPresent() ? LENGTH + Vlan.LENGTH : LENGTH;
    }

    public void emit(MemorySegment segment, long at) {
        destination.emit(segment, at + DESTINATION);
        source.emit(segment, at + SOURCE);
        if (vlan.isPresent()) {
            BigEndian.put16(segment, at + TYPE, TYPE_VLAN);
            vlan.get().emit(segment, at + LENGTH);
        }
        BigEndian.put16(segment, at + length() - 2, etherType);
    }
}
