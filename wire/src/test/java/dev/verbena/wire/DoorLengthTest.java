package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The exact length at which each header in front of the BTH is whole, in a buffer that begins
/// before the frame and goes on behind it.
class DoorLengthTest {
    private static final int AT = 5;
    private static final int ETHERNET = 14;

    private final MemorySegment bytes = MemorySegment.ofArray(new byte[200]);
    private final PacketView view = new PacketView();

    @ParameterizedTest
    @CsvSource({
        "0x0000, 13, ETHERNET_TRUNCATED",
        "0x0000, 14, ETHERTYPE_FOREIGN",
        "0x8100, 17, VLAN_TRUNCATED",
        "0x8100, 18, ETHERTYPE_FOREIGN",
        "0x0800, 33, IPV4_TRUNCATED",
        "0x0800, 34, IPV4_VERSION",
        "0x86dd, 53, IPV6_TRUNCATED",
        "0x86dd, 54, IPV6_VERSION",
        "0x8915, 53, GRH_TRUNCATED",
        "0x8915, 54, GRH_VERSION",
        "0x8808, 17, MAC_CONTROL_TRUNCATED",
        "0x8808, 18, MAC_CONTROL_FOREIGN",
    })
    void aFrameOfZerosIsRefusedForTheFirstThingThatItLacks(
            String etherType, int length, Verdict expected) {
        BigEndian.put16(bytes, AT + 12, Integer.decode(etherType));

        assertThat(view.wrapEthernet(bytes, AT, length)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0x0001, 4, OK",
        "0x0101, 19, MAC_CONTROL_TRUNCATED",
        "0x0101, 20, OK",
    })
    void aPauseIsShorterThanAPauseByPriority(String opcode, int length, Verdict expected) {
        BigEndian.put16(bytes, AT + 12, Ethernet.TYPE_MAC_CONTROL);
        BigEndian.put16(bytes, AT + ETHERNET, Integer.decode(opcode));

        assertThat(view.wrapEthernet(bytes, AT, ETHERNET + length)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"19, IPV4_LENGTH", "20, UDP_TRUNCATED", "27, UDP_TRUNCATED", "29, IPV4_LENGTH"})
    void theTotalLengthOfIpv4ReachesFromItsHeaderToTheEndOfTheFrame(
            int totalLength, Verdict expected) {
        BigEndian.put16(bytes, AT + 12, Ethernet.TYPE_IPV4);
        Ipv4.put(bytes, AT + ETHERNET, 0, totalLength, 64, HandMade.IP_A, HandMade.IP_B);
        BigEndian.put16(bytes, AT + ETHERNET + Ipv4.LENGTH + 2, Udp.ROCE_PORT);

        assertThat(view.wrapEthernet(bytes, AT, ETHERNET + 28)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"7, UDP_TRUNCATED", "8, BTH_TRUNCATED", "23, BTH_TRUNCATED", "24, OK"})
    void aUdpHeaderIsEightBytesAndAPacketBehindItSixteen(int length, Verdict expected) {
        BigEndian.put16(bytes, AT + 12, Ethernet.TYPE_IPV6);
        long ip = AT + ETHERNET;
        BigEndian.put8(bytes, ip, 0x60);
        BigEndian.put16(bytes, ip + 4, length);
        BigEndian.put8(bytes, ip + 6, Ip.UDP);
        BigEndian.put16(bytes, ip + Ipv6.LENGTH + 2, Udp.ROCE_PORT);
        BigEndian.put16(bytes, ip + Ipv6.LENGTH + 4, length);
        // RC SEND Only, without payload.
        Bth.put(bytes, ip + Ipv6.LENGTH + Udp.LENGTH, 4, 0, 0, 0xFFFF, 2, 3);

        assertThat(view.wrapEthernet(bytes, AT, ETHERNET + Ipv6.LENGTH + length))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"9, LRH_TRUNCATED", "10, LRH_VERSION"})
    void anLrhNeedsItsEightBytesAndAVcrc(int length, Verdict expected) {
        BigEndian.put8(bytes, AT, 0x01); // link version 1

        assertThat(view.wrapInfiniBand(bytes, AT, length)).isEqualTo(expected);
    }

    @Test
    void onANativeLinkTheGrhEndsWhereTheLrhSays() {
        assertThat(nativeWithGrh(16)).isEqualTo(Verdict.GRH_NEXT_HEADER_FOREIGN);
        assertThat(nativeWithGrh(12)).isEqualTo(Verdict.GRH_LENGTH);
        assertThat(nativeWithGrh(20)).isEqualTo(Verdict.GRH_LENGTH);
    }

    @Test
    void onEthernetPaddingMayFollowWhereTheGrhEnds() {
        assertThat(etherWithGrh(16)).isEqualTo(Verdict.GRH_NEXT_HEADER_FOREIGN);
        assertThat(etherWithGrh(12)).isEqualTo(Verdict.GRH_NEXT_HEADER_FOREIGN);
        assertThat(etherWithGrh(17)).isEqualTo(Verdict.GRH_LENGTH);
    }

    /// Sixteen bytes behind the GRH, whatever it claims.
    private Verdict nativeWithGrh(int claimed) {
        int words = (Lrh.LENGTH + Grh.LENGTH + 16) / 4;
        BigEndian.put8(bytes, AT + 1, Lrh.IBA_GLOBAL);
        BigEndian.put16(bytes, AT + 4, words);
        grh(AT + Lrh.LENGTH, claimed);
        return view.wrapInfiniBand(bytes, AT, 4 * words + Vcrc.LENGTH);
    }

    private Verdict etherWithGrh(int claimed) {
        BigEndian.put16(bytes, AT + 12, Ethernet.TYPE_ROCE_V1);
        grh(AT + ETHERNET, claimed);
        return view.wrapEthernet(bytes, AT, ETHERNET + Grh.LENGTH + 16);
    }

    /// With a next header that is not the transport's.
    private void grh(long at, int claimed) {
        BigEndian.put8(bytes, at, 0x60);
        BigEndian.put16(bytes, at + 4, claimed);
    }
}
