package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// Ethernet addresses: forty-eight bits in a long.
public record MacAddress(long bits) {
    public static final int LENGTH = 6;

    /// Where pause and PFC frames go (IEEE 802.3 annex 31B); never forwarded by a bridge.
    public static final MacAddress PAUSE = new MacAddress(0x0180_C200_0001L);

    /// Where LLDP frames go (IEEE 802.1AB 7.1): the nearest bridge.
    public static final MacAddress LLDP = new MacAddress(0x0180_C200_000EL);

    public MacAddress {
        WireException.requireBits("mac address", bits, 48);
    }

    public static MacAddress parse(MemorySegment segment, long at) {
        return new MacAddress(
                ((long) BigEndian.u16(segment, at) << 32) | BigEndian.u32(segment, at + 2));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put16(segment, at, (int) (bits >> 32));
        BigEndian.put32(segment, at + 2, (int) bits);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= 8) {
            long octet = (bits >> shift) & 0xFF;
            text.append(octet < 16 ? "0" : "").append(Long.toHexString(octet));
            text.append(shift > 0 ? ":" : "");
        }
        return text.toString();
    }
}
