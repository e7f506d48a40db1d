package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Packets that are known to be right from elsewhere: the specification's own sample, a real NIC's,
/// and frames that other software builds the same way.
class WorkedExamplesTest {
    private static final String SEND_ONLY =
            """
            0430ffff0000001280000100 48656c6c6f2c20526f43452121 000000
            """;

    private final Icrc icrc = new Icrc();
    private final PacketView view = new PacketView();

    @Test
    void theSamplePacketOfTheSpecificationIsRight() {
        MemorySegment packet =
                Hex.segment(
                        """
                        7012375c 000e17d2 0a202487 0087b1b3 000dec2a 01710a1c 015d4002 38f27a05
                        0000000e bb884d85 fd5cfba4 728bc069 0ed40000 9625b75a 45fa
                        """);

        assertThat(view.wrapInfiniBand(packet, 0, (int) packet.byteSize())).isEqualTo(Verdict.OK);

        assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
        assertThat(view.opcode()).hasToString("RC WRITE Only");
        assertThat(view.destQp()).isEqualTo(0x87b1b3);
        assertThat(view.psn()).isEqualTo(0x0dec2a);
        assertThat(Reth.lengthBytes(packet, view.at(ExtendedHeader.RETH))).isEqualTo(14);
        assertThat(view.payloadLength()).isEqualTo(14);
        assertThat(Lrh.sourceLid(packet, view.networkAt())).isEqualTo(0x17d2);
    }

    @Test
    void theSamplePacketWithAGlobalHeaderHasTheKnownChecksums() {
        // Its GRH next header is 0, so it counts as another protocol; the CRCs are right.
        MemorySegment packet =
                Hex.segment(
                        """
                        7013375c001817d2 6000000000320010 00000000000001250000000000000026
                        00000000000001170000000000000096 0a2024870087b1b3000dec2a
                        01710a1c015d400238f27a050000000e bb884d85fd5cfba4728bc0690ed40000
                        1493ec46 7c44
                        """);

        assertThat(icrc.compute(Encapsulation.IB_GLOBAL, packet, 0, 92))
                .isEqualTo(Icrc.stored(packet, 92));
        assertThat(Vcrc.compute(packet, 0, 96)).isEqualTo(Vcrc.stored(packet, 96));
    }

    @Test
    void aCongestionNotificationFromAConnectX4IsUnderstood() {
        MemorySegment frame =
                Hex.segment(
                        """
                        e41d2dab2bc27cfe90643b320800 45c2003c718c4000401191610a0011010a001201
                        000012b700280000 8100ffff4000011800000000
                        00000000000000000000000000000000 82fd002a
                        """);

        assertThat(view.wrapEthernet(frame, 0, (int) frame.byteSize())).isEqualTo(Verdict.OK);

        assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
        assertThat(view.opcode()).isSameAs(Opcode.CNP);
        assertThat(Bth.becn(frame, view.bthAt())).isTrue();
        assertThat(view.destQp()).isEqualTo(0x118);
        assertThat(Udp.sourcePort(frame, view.udpAt())).isZero();
        assertThat(Ipv4.trafficClass(frame, view.networkAt()) >> 2).isEqualTo(48);
    }

    @Test
    void theSameSendIsRightInEveryEncapsulation() {
        assertRight(
                "0200000000020200000000010800 4502003c00004000401126ad0a0000010a000002"
                        + "c00012b700280000"
                        + SEND_ONLY
                        + "5700e5fa",
                Encapsulation.ROCE_V2_IPV4);
        assertRight(
                "02000000000202000000000186dd 6021234500281140 fd000000000000000000000000000001"
                        + "fd000000000000000000000000000002 c00012b700280000"
                        + SEND_ONLY
                        + "fe0730d5",
                Encapsulation.ROCE_V2_IPV6);
        assertRight(
                "0200000000020200000000018915 6000000000201b40 fe80000000000000020000fffe000001"
                        + "fe80000000000000020000fffe000002"
                        + SEND_ONLY
                        + "8fff1e37",
                Encapsulation.ROCE_V1);
        assertRight("00020002000a0001" + SEND_ONLY + "bfeefe1e c8a3", Encapsulation.IB_LOCAL);
        assertRight(
                "1013000200140001 6000000000201b40 fe80000000000000020000fffe000001"
                        + "fe80000000000000020000fffe000002"
                        + SEND_ONLY
                        + "8fff1e37 d89d",
                Encapsulation.IB_GLOBAL);
    }

    private void assertRight(String hex, Encapsulation encapsulation) {
        MemorySegment packet = Hex.segment(hex);
        int length = (int) packet.byteSize();
        Verdict verdict =
                encapsulation.isNative()
                        ? view.wrapInfiniBand(packet, 0, length)
                        : view.wrapEthernet(packet, 0, length);

        assertThat(verdict).isEqualTo(Verdict.OK);
        assertThat(view.encapsulation()).isEqualTo(encapsulation);
        assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
        assertThat(view.payloadLength()).isEqualTo(13);
        assertThat(Packet.parse(view).emit(icrc).mismatch(packet)).isEqualTo(-1);
    }

    @Test
    void flowControlPacketsHaveTheKnownChecksums() {
        assertThat(FlowControl.check(Hex.segment("0123 0456 1cb3"), 0, 6)).isEqualTo(Verdict.OK);
        assertThat(FlowControl.check(Hex.segment("1000 27ff 6d25"), 0, 6)).isEqualTo(Verdict.OK);
        assertThat(FlowControl.parse(Hex.segment("1000 27ff 6d25"), 0))
                .isEqualTo(new FlowControl(FlowControl.INITIALIZE, 0, 2, 0x7ff));
    }
}
