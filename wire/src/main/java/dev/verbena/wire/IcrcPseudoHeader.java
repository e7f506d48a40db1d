package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/// The network headers that the ICRC covers but a UDP socket does not show.
///
/// Holds the seed of a CRC that has passed them, so that a packet only adds its length, its IPv4
/// identification and its BTH. Made once for a path and direction, or set again for each sender.
public final class IcrcPseudoHeader {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// Eight bytes of ones stand for an LRH.
    private static final int NETWORK = 8;

    /// Where fields are, seen from the BTH.
    private static final int IPV4_TOTAL_LENGTH = Ipv4.TOTAL_LENGTH - Ipv4.LENGTH - Udp.LENGTH;

    private static final int IPV4_ID = Ipv4.ID - Ipv4.LENGTH - Udp.LENGTH;
    private static final int IPV6_PAYLOAD_LENGTH = 4 - Ipv6.LENGTH - Udp.LENGTH;
    private static final int UDP_LENGTH = Udp.LENGTH_BYTES - Udp.LENGTH;

    /// A BTH of zeros, but for the byte that counts as ones.
    private static final byte[] BLANK_BTH = {0, 0, 0, 0, (byte) 0xFF, 0, 0, 0, 0, 0, 0, 0};

    private final CRC32 crc = new CRC32();

    /// The headers with lengths and identification zero and variant bits set.
    private final byte[] masked = new byte[NETWORK + Ipv6.LENGTH + Udp.LENGTH];

    /// The seed that stands for them.
    private int seed;

    /// A length and the seed with it, in one word, since most packets of a stream are of one
    /// length: a reader on another thread sees both or neither.
    private long lengthAndSeed;

    /// The seed that stands for them and for [#BLANK_BTH], and the word of it for a length.
    private int seedBehindBth;

    private long lengthAndSeedBehindBth;

    private boolean ipv4;

    public IcrcPseudoHeader() {
        Arrays.fill(masked, 0, NETWORK, (byte) 0xFF);
        setIpv4(0, 0, 0, Udp.ROCE_PORT);
    }

    /// Headers of a sender that forbids fragmentation, as those seen do: Linux and a ConnectX-4 Lx.
    public IcrcPseudoHeader setIpv4(int source, int destination, int sourcePort, int destPort) {
        return setIpv4(source, destination, sourcePort, destPort, Ipv4.DONT_FRAGMENT);
    }

    /// Headers with any fragment field, which the ICRC covers too.
    public IcrcPseudoHeader setIpv4(
            int source, int destination, int sourcePort, int destPort, int fragment) {
        ipv4 = true;
        INTS.set(masked, NETWORK, (Ipv4.VERSION_AND_LENGTH << 24) | 0x00FF_0000);
        INTS.set(masked, NETWORK + Ipv4.ID, fragment);
        INTS.set(masked, NETWORK + Ipv4.TIME_TO_LIVE, 0xFF00_FFFF | (Ip.UDP << 16));
        INTS.set(masked, NETWORK + Ipv4.SOURCE, source);
        INTS.set(masked, NETWORK + Ipv4.DESTINATION, destination);
        setUdp(NETWORK + Ipv4.LENGTH, sourcePort, destPort);
        return this;
    }

    public IcrcPseudoHeader setIpv6(Gid source, Gid destination, int sourcePort, int destPort) {
        ipv4 = false;
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
        crc.reset();
        crc.update(masked, 0, at + Udp.LENGTH);
        seed = CrcSeed.behind((int) crc.getValue());
        lengthAndSeed = packed(0, seed ^ lengths(Udp.LENGTH + Icrc.LENGTH, 0));
        crc.update(BLANK_BTH);
        seedBehindBth = CrcSeed.behind((int) crc.getValue());
        lengthAndSeedBehindBth = packed(-1, 0);
    }

    /// The seed for a packet of `bytes` bytes from its BTH up to its ICRC. IPv6 has no
    /// identification; the argument is then not used.
    int seed(int ipv4Id, MemorySegment segment, long bthAt, int bytes) {
        long cached = lengthAndSeed;
        if ((int) (cached >>> 32) != bytes) {
            cached = packed(bytes, seed ^ lengths(Udp.LENGTH + bytes + Icrc.LENGTH, 0));
            lengthAndSeed = cached;
        }
        int id = ipv4 ? CrcSeed.change16(ipv4Id, IPV4_ID) : 0;
        return (int) cached ^ id ^ IcrcSeed.bth(segment, bthAt, 0);
    }

    /// The same for the bytes after the BTH of such a packet: one table lookup for each of twelve
    /// bytes replaces their CRC.
    int seedBehindBth(int ipv4Id, MemorySegment segment, long bthAt, int bytes) {
        long cached = lengthAndSeedBehindBth;
        if ((int) (cached >>> 32) != bytes) {
            int lengths = lengths(Udp.LENGTH + bytes + Icrc.LENGTH, Bth.LENGTH);
            cached = packed(bytes, seedBehindBth ^ lengths);
            lengthAndSeedBehindBth = cached;
        }
        int id = ipv4 ? CrcSeed.change16(ipv4Id, IPV4_ID - Bth.LENGTH) : 0;
        return (int) cached ^ id ^ IcrcSeed.behindBth(segment, bthAt);
    }

    private static long packed(int bytes, int seed) {
        return ((long) bytes << 32) | Integer.toUnsignedLong(seed);
    }

    /// The change that lengths cause in a seed, `behind` bytes after the start of the BTH.
    private int lengths(int udpLength, int behind) {
        int network =
                ipv4
                        ? CrcSeed.change16(Ipv4.LENGTH + udpLength, IPV4_TOTAL_LENGTH - behind)
                        : CrcSeed.change16(udpLength, IPV6_PAYLOAD_LENGTH - behind);
        return network ^ CrcSeed.change16(udpLength, UDP_LENGTH - behind);
    }
}
