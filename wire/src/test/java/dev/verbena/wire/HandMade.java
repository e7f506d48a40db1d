package dev.verbena.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// The two hosts of the vectors that were made by hand, and the headers between them.
///
/// A is 10.0.0.1, fd00::1, 02:00:00:00:00:01 with queue pair 0x11; B is the same with 2.
final class HandMade {
    static final int QP_A = 0x11;
    static final int QP_B = 0x12;
    static final MacAddress MAC_A = new MacAddress(0x0200_0000_0001L);
    static final MacAddress MAC_B = new MacAddress(0x0200_0000_0002L);
    static final int IP_A = 0x0A00_0001;
    static final int IP_B = 0x0A00_0002;

    /// Link-local, with the interface identifier made of the Ethernet address.
    static final Gid GID_A = new Gid(0xFE80_0000_0000_0000L, 0x0200_00FF_FE00_0001L);

    static final Gid GID_B = new Gid(0xFE80_0000_0000_0000L, 0x0200_00FF_FE00_0002L);

    static final int NONE = 0;
    static final int SOLICITED = Bth.SOLICITED;
    static final int MIGRATION = Bth.MIGRATION;
    static final int ACK_REQUEST = Bth.ACK_REQUEST;

    private HandMade() {}

    static Envelope fromA(int trafficClass, int totalLength, int checksum) {
        return new Envelope.RoceV2(
                Ethernet.of(MAC_B, MAC_A, 0x0800),
                ipv4(trafficClass, totalLength, checksum, IP_A, IP_B),
                udp(totalLength - 20));
    }

    static Envelope fromB(int trafficClass, int totalLength, int checksum) {
        return new Envelope.RoceV2(
                Ethernet.of(MAC_A, MAC_B, 0x0800),
                ipv4(trafficClass, totalLength, checksum, IP_B, IP_A),
                udp(totalLength - 20));
    }

    private static Ipv4 ipv4(
            int trafficClass, int totalLength, int checksum, int source, int destination) {
        return new Ipv4(
                trafficClass, totalLength, 0, 0x4000, 64, 17, checksum, source, destination);
    }

    static Udp udp(int lengthBytes) {
        return new Udp(0xC000, 4791, lengthBytes, 0);
    }

    /// A base transport header in the default partition; `flags` are those of [Bth#put].
    static Bth bth(int opcode, int flags, int padCount, int destQp, int psn) {
        return new Bth(
                opcode,
                (flags & SOLICITED) != 0,
                (flags & MIGRATION) != 0,
                padCount,
                0,
                0xFFFF,
                false,
                false,
                destQp,
                (flags & ACK_REQUEST) != 0,
                psn);
    }

    /// The header of a congestion notification, which alone has BECN set.
    static Bth becn(int destQp) {
        return new Bth(0x81, false, false, 0, 0, 0xFFFF, false, true, destQp, false, 0);
    }

    static Payload text(String text) {
        return Payload.of(text.getBytes(US_ASCII));
    }

    /// The bytes 0 to 255 over and over, which fill the long packets.
    static Payload counting(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return Payload.of(bytes);
    }
}
