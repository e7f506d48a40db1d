package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The network headers that the ICRC covers but a UDP socket does not show.
///
/// Holds them with the variant bits set already, so that a packet only adds its length, its IPv4
/// identification and its BTH. Made once for a path and direction, or set again for each sender.
public final class IcrcPseudoHeader {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int NETWORK = Icrc.LRH_ONES;
    private static final int RESERVED_ONES = 0xFF00_0000;

    private final byte[] masked = new byte[NETWORK + Ipv6.LENGTH + Udp.LENGTH + Bth.LENGTH];
    private boolean ipv4;

    public IcrcPseudoHeader() {
        setIpv4(0, 0, 0, Udp.ROCE_PORT);
    }

    public IcrcPseudoHeader setIpv4(int source, int destination, int sourcePort, int destPort) {
        ipv4 = true;
        Arrays.fill(masked, 0, NETWORK, (byte) 0xFF);
        INTS.set(masked, NETWORK, (Ipv4.VERSION_AND_LENGTH << 24) | 0x00FF_0000);
        INTS.set(masked, NETWORK + Ipv4.ID, Ipv4.DONT_FRAGMENT);
        INTS.set(masked, NETWORK + Ipv4.TIME_TO_LIVE, 0xFF00_FFFF | (Ip.UDP << 16));
        INTS.set(masked, NETWORK + Ipv4.SOURCE, source);
        INTS.set(masked, NETWORK + Ipv4.DESTINATION, destination);
        setUdp(NETWORK + Ipv4.LENGTH, sourcePort, destPort);
        return this;
    }

    public IcrcPseudoHeader setIpv6(Gid source, Gid destination, int sourcePort, int destPort) {
        ipv4 = false;
        Arrays.fill(masked, 0, NETWORK, (byte) 0xFF);
        LONGS.set(masked, NETWORK, 0x6FFF_FFFF_0000_00FFL | (Ip.UDP << 8));
        LONGS.set(masked, NETWORK + 8, source.high());
        LONGS.set(masked, NETWORK + 16, source.low());
        LONGS.set(masked, NETWORK + 24, destination.high());
        LONGS.set(masked, NETWORK + 32, destination.low());
        setUdp(NETWORK + Ipv6.LENGTH, sourcePort, destPort);
        return this;
    }

    private void setUdp(int at, int sourcePort, int destPort) {
        SHORTS.set(masked, at + Udp.SOURCE_PORT, (short) sourcePort);
        SHORTS.set(masked, at + Udp.DEST_PORT, (short) destPort);
        INTS.set(masked, at + Udp.LENGTH_BYTES, 0xFFFF);
    }

    /// Adds what differs from packet to packet and tells how many bytes the CRC takes. IPv6 has no
    /// identification; the argument is then not used.
    int fill(int ipv4Id, MemorySegment segment, long bthAt, int udpPayloadLength) {
        int udpLength = Udp.LENGTH + udpPayloadLength;
        int udpAt = NETWORK + (ipv4 ? Ipv4.LENGTH : Ipv6.LENGTH);
        if (ipv4) {
            SHORTS.set(masked, NETWORK + Ipv4.TOTAL_LENGTH, (short) (Ipv4.LENGTH + udpLength));
            SHORTS.set(masked, NETWORK + Ipv4.ID, (short) ipv4Id);
        } else {
            SHORTS.set(masked, NETWORK + 4, (short) udpLength);
        }
        SHORTS.set(masked, udpAt + Udp.LENGTH_BYTES, (short) udpLength);
        int bth = udpAt + Udp.LENGTH;
        INTS.set(masked, bth, BigEndian.i32(segment, bthAt));
        INTS.set(masked, bth + 4, BigEndian.i32(segment, bthAt + 4) | RESERVED_ONES);
        INTS.set(masked, bth + 8, BigEndian.i32(segment, bthAt + 8));
        return bth + Bth.LENGTH;
    }

    byte[] masked() {
        return masked;
    }
}
