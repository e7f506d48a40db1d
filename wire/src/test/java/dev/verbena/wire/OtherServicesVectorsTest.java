package dev.verbena.wire;

import static dev.verbena.wire.ExpectedFrame.frame;
import static dev.verbena.wire.HandMade.ACK_REQUEST;
import static dev.verbena.wire.HandMade.GID_A;
import static dev.verbena.wire.HandMade.GID_B;
import static dev.verbena.wire.HandMade.MAC_A;
import static dev.verbena.wire.HandMade.MAC_B;
import static dev.verbena.wire.HandMade.MIGRATION;
import static dev.verbena.wire.HandMade.NONE;
import static dev.verbena.wire.HandMade.QP_A;
import static dev.verbena.wire.HandMade.QP_B;
import static dev.verbena.wire.HandMade.becn;
import static dev.verbena.wire.HandMade.bth;
import static dev.verbena.wire.HandMade.counting;
import static dev.verbena.wire.HandMade.fromA;
import static dev.verbena.wire.HandMade.fromB;
import static dev.verbena.wire.HandMade.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmRtu;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The other services of RoCE v2, RoCE v1, and frames of real hardware, frame by frame.
///
/// Literals were read with tshark 4.0.17, but for the XRC header and the CNP, which it does not
/// know and whose bytes it only dumps.
class OtherServicesVectorsTest {
    @Test
    void unreliableServicesAreUnderstood() {
        ExpectedFrame.assertFrames(
                "rocev2-ipv4-uc-ud.pcap",
                1,
                List.of(
                        frame(
                                "UC SEND First",
                                "d0977571",
                                fromA(2, 1068, 0x22BD),
                                bth(0x20, NONE, 0, QP_B, 5),
                                List.of(),
                                counting(1024)),
                        frame(
                                "UC SEND Last",
                                "0035a14a",
                                fromA(2, 48, 0x26B9),
                                bth(0x22, NONE, 0, QP_B, 6),
                                List.of(),
                                text("last")),
                        frame(
                                "UC WRITE Only",
                                "a4f07937",
                                fromA(2, 64, 0x26A9),
                                bth(0x2A, NONE, 0, QP_B, 7),
                                List.of(new Reth(0x1000, 1, 4)),
                                text("writ")),
                        frame(
                                "UD SEND Only",
                                "4a4df5fa",
                                fromA(2, 68, 0x26A5),
                                bth(0x64, NONE, 0, QP_B, 9),
                                List.of(new Deth(0x11111111, QP_A)),
                                text("ud payload ok!!!")),
                        frame(
                                "UD SEND Only+Imm",
                                "5f3bf846",
                                fromA(2, 60, 0x26AD),
                                bth(0x65, NONE, 0, QP_B, 10),
                                List.of(new Deth(0x11111111, QP_A), new ImmDt(0x2A)),
                                text("with"))));
    }

    @Test
    void congestionIsMarkedAndNotified() {
        ExpectedFrame.assertFrames(
                "rocev2-cnp.pcap",
                1,
                List.of(
                        frame(
                                "RC SEND Only",
                                "2f11fd66",
                                fromA(0x03, 60, 0x26AC),
                                bth(0x04, ACK_REQUEST, 0, QP_B, 0x100),
                                List.of(),
                                text("marked-with-CE!!")),
                        frame(
                                "CNP",
                                "5b65ef9f",
                                fromB(48 << 2, 60, 0x25EF),
                                becn(QP_A),
                                List.of(),
                                Payload.of(new byte[16]))));
        assertThat(Ecn.of(0x03)).isEqualTo(Ecn.CONGESTION);
    }

    /// The notification has source port 0; the UC packet has the UDP checksum that others leave out
    /// and the migration bit set.
    @Test
    void framesOfRealHardwareAreUnderstood() {
        MacAddress loop = new MacAddress(0x248A_07A8_FA22L);
        ExpectedFrame.assertFrames(
                "rocev2-real-nic.pcap",
                1,
                List.of(
                        frame(
                                "CNP",
                                "82fd002a",
                                new Envelope.RoceV2(
                                        Ethernet.of(
                                                new MacAddress(0xE41D_2DAB_2BC2L),
                                                new MacAddress(0x7CFE_9064_3B32L),
                                                0x0800),
                                        new Ipv4(
                                                0xC2,
                                                60,
                                                0x718C,
                                                0x4000,
                                                64,
                                                17,
                                                0x9161,
                                                0x0A001101,
                                                0x0A001201),
                                        new Udp(0, 4791, 40, 0)),
                                becn(0x118),
                                List.of(),
                                Payload.of(new byte[16])),
                        frame(
                                "UC SEND Only",
                                "78f353f3",
                                new Envelope.RoceV2(
                                        Ethernet.of(loop, loop, 0x0800),
                                        new Ipv4(
                                                0x01,
                                                64,
                                                0x0478,
                                                0x4000,
                                                64,
                                                17,
                                                0xB4D5,
                                                0xC0A80007,
                                                0xC0A80007),
                                        new Udp(0xC000, 4791, 44, 0xACA2)),
                                bth(0x24, MIGRATION, 2, 0xD3, 0xCF1710),
                                List.of(),
                                Payload.of(Hex.bytes("4630818be28935d90e9a95505401be885e50")))));
    }

    @Test
    void extendedReliableConnectionsAreUnderstood() {
        ExpectedFrame.assertFrames(
                "rocev2-xrc.pcap",
                1,
                List.of(
                        frame(
                                "XRC SEND Only",
                                "0a3a5faf",
                                fromA(2, 52, 0x26B5),
                                bth(0xA4, ACK_REQUEST, 0, QP_B, 1),
                                List.of(new XrcEth(0x77)),
                                text("xrc1"))));
    }

    @Test
    void versionOneIsUnderstood() {
        Ethernet toB = Ethernet.of(MAC_B, MAC_A, 0x8915);
        Ethernet toA = Ethernet.of(MAC_A, MAC_B, 0x8915);
        ExpectedFrame.assertFrames(
                "rocev1-rc-gsi.pcap",
                1,
                List.of(
                        frame(
                                "RC SEND Only",
                                "8fff1e37",
                                new Envelope.RoceV1(
                                        toB, new Grh(6, 0, 0, 32, 0x1B, 64, GID_A, GID_B)),
                                bth(0x04, ACK_REQUEST, 3, QP_B, 0x100),
                                List.of(),
                                text("Hello, RoCE!!")),
                        frame(
                                "RC Acknowledge",
                                "3f7a4a0c",
                                new Envelope.RoceV1(
                                        toA, new Grh(6, 0, 0, 20, 0x1B, 64, GID_B, GID_A)),
                                bth(0x11, NONE, 0, QP_A, 0x100),
                                List.of(new Aeth(0x1F, 1)),
                                Payload.EMPTY),
                        frame(
                                "UD SEND Only",
                                "77280c54",
                                new Envelope.RoceV1(
                                        toB, new Grh(6, 0, 0, 280, 0x1B, 64, GID_A, GID_B)),
                                bth(0x64, NONE, 0, 1, 3),
                                List.of(new Deth(0x80010000, 1)),
                                Payload.of(
                                                Hex.bytes(
                                                        """
                                                        01070203 00000000 1122334455667788
                                                        0014 0000 00000000 00000001 00000002
                                                        """))
                                        .filled("RTU", 256))));
        assertThat(CmMad.parse(payload("rocev1-rc-gsi.pcap", 3).segment(), 0))
                .isEqualTo(CmMad.of(0x1122_3344_5566_7788L, new CmRtu(1, 2, Payload.EMPTY)));
    }

    /// The headers around the connection manager's messages; CmVectorsTest reads the messages.
    @Test
    void connectionManagementGoesBetweenQueuePairsOne() {
        String[] icrcs = {
            "5e81b782", "b719e8fd", "edd91bec", "9e4352d9", "b56c4df9", "ef6c57ca", "e7bbc575"
        };
        int[] psns = {1, 1, 2, 2, 3, 3, 4};
        // One transaction to connect, one to part, and one that was refused.
        int[] transactions = {1, 1, 1, 1, 2, 2, 3};
        for (int i = 0; i < psns.length; i++) {
            assertThat(CmMad.parse(payload("rocev2-cm.pcap", i + 1).segment(), 0).transactionId())
                    .isEqualTo(0x0000_0005_0000_0000L + transactions[i]);
            boolean active = i == 0 || i == 3 || i == 4;
            ExpectedFrame.assertFrames(
                    "rocev2-cm.pcap",
                    i + 1,
                    List.of(
                            frame(
                                    "UD SEND Only",
                                    icrcs[i],
                                    active ? fromA(0, 308, 0x25B7) : fromB(0, 308, 0x25B7),
                                    bth(0x64, NONE, 0, 1, psns[i]),
                                    List.of(new Deth(0x80010000, 1)),
                                    payload("rocev2-cm.pcap", i + 1))));
        }
    }

    private static Payload payload(String file, int number) {
        PacketView view = new PacketView();
        assertThat(VectorFrame.read(file).get(number - 1).wrap(view)).isEqualTo(Verdict.OK);
        return Packet.parse(view).payload();
    }
}
