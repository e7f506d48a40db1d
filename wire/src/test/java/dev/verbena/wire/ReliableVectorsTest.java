package dev.verbena.wire;

import static dev.verbena.wire.ExpectedFrame.frame;
import static dev.verbena.wire.HandMade.ACK_REQUEST;
import static dev.verbena.wire.HandMade.MAC_A;
import static dev.verbena.wire.HandMade.MAC_B;
import static dev.verbena.wire.HandMade.NONE;
import static dev.verbena.wire.HandMade.QP_A;
import static dev.verbena.wire.HandMade.QP_B;
import static dev.verbena.wire.HandMade.SOLICITED;
import static dev.verbena.wire.HandMade.bth;
import static dev.verbena.wire.HandMade.counting;
import static dev.verbena.wire.HandMade.text;
import static dev.verbena.wire.HandMade.udp;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A reliable connection over RoCE v2, frame by frame.
///
/// The order of the frames is that of the vectors' table of contents; lengths, addresses, keys and
/// checksums are literals that were read with tshark 4.0.17.
class ReliableVectorsTest {
    private static final String IPV4 = "rocev2-ipv4-rc.pcap";
    private static final int RKEY = 0x1234;
    private static final int ACK = 0x1F;

    @Test
    void sendsAreUnderstood() {
        ExpectedFrame.assertFrames(
                IPV4,
                1,
                List.of(
                        frame(
                                "RC SEND Only",
                                "5700e5fa",
                                fromA(60, 0x26AD),
                                bth(0x04, ACK_REQUEST, 3, QP_B, 0x100),
                                List.of(),
                                text("Hello, RoCE!!")),
                        acknowledge("0d02e76b", 0x100, ACK, 1),
                        frame(
                                "RC SEND Only+Imm",
                                "76a6e630",
                                fromA(64, 0x26A9),
                                bth(0x05, ACK_REQUEST | SOLICITED, 0, QP_B, 0x101),
                                List.of(new ImmDt(0xDEADBEEF)),
                                text("immediate data !")),
                        frame(
                                "RC SEND Only+Inv",
                                "725c5284",
                                fromA(64, 0x26A9),
                                bth(0x17, ACK_REQUEST, 0, QP_B, 0x102),
                                List.of(new Ieth(0x104)),
                                text("invalidate rkey!"))));
    }

    @Test
    void writesAreUnderstood() {
        ExpectedFrame.assertFrames(
                IPV4,
                5,
                List.of(
                        frame(
                                "RC WRITE First",
                                "b1517f2b",
                                fromA(1084, 0x22AD),
                                bth(0x06, NONE, 0, QP_B, 0x103),
                                List.of(new Reth(0x7F00_0000_1000L, RKEY, 1029)),
                                counting(1024)),
                        frame(
                                "RC WRITE Last",
                                "1350e281",
                                fromA(52, 0x26B5),
                                bth(0x08, ACK_REQUEST, 3, QP_B, 0x104),
                                List.of(),
                                text("tail5")),
                        frame(
                                "RC WRITE Only+Imm",
                                "a5f5f37c",
                                fromA(72, 0x26A1),
                                bth(0x0B, ACK_REQUEST, 0, QP_B, 0x105),
                                List.of(
                                        new Reth(0x7F00_0000_2000L, RKEY, 8),
                                        new ImmDt(0x01020304)),
                                text("8bytes!!")),
                        frame(
                                "RC WRITE Only",
                                "f04fc1ab",
                                fromA(60, 0x26AD),
                                bth(0x0A, ACK_REQUEST, 0, QP_B, 0x106),
                                List.of(new Reth(0, 0, 0)),
                                Payload.EMPTY)));
    }

    /// A READ of two packets takes two sequence numbers, so the next request is 0x109.
    @Test
    void readsAreUnderstood() {
        ExpectedFrame.assertFrames(
                IPV4,
                9,
                List.of(
                        readRequest("a838b52f", 0x107, 2048),
                        frame(
                                "RC READ Response First",
                                "ffe9ae51",
                                fromB(1072, 0x22B9),
                                bth(0x0D, NONE, 0, QP_A, 0x107),
                                List.of(new Aeth(ACK, 7)),
                                counting(1024)),
                        frame(
                                "RC READ Response Last",
                                "d3365a9f",
                                fromB(1072, 0x22B9),
                                bth(0x0F, NONE, 0, QP_A, 0x108),
                                List.of(new Aeth(ACK, 7)),
                                counting(1024)),
                        readRequest("2f8e25a1", 0x109, 4),
                        frame(
                                "RC READ Response Only",
                                "d1bc8b86",
                                fromB(52, 0x26B5),
                                bth(0x10, NONE, 0, QP_A, 0x109),
                                List.of(new Aeth(ACK, 8)),
                                text("read"))));
    }

    private static ExpectedFrame readRequest(String icrc, int psn, int length) {
        return frame(
                "RC READ Request",
                icrc,
                fromA(60, 0x26AD),
                bth(0x0C, ACK_REQUEST, 0, QP_B, psn),
                List.of(new Reth(0x7F00_0000_3000L, RKEY, length)),
                Payload.EMPTY);
    }

    @Test
    void atomicsAreUnderstood() {
        ExpectedFrame.assertFrames(
                IPV4,
                14,
                List.of(
                        atomic("RC CmpSwap", 0x13, "de671ced", 0x10A, 0x2222, 0x1111),
                        atomicAcknowledge("689e13ed", 0x10A, 9, 0x1111),
                        atomic("RC FetchAdd", 0x14, "c87277e0", 0x10B, 5, 0),
                        atomicAcknowledge("0e7fb342", 0x10B, 10, 0x2222)));
    }

    private static ExpectedFrame atomic(
            String title, int opcode, String icrc, int psn, long swapOrAdd, long compare) {
        return frame(
                title,
                icrc,
                fromA(72, 0x26A1),
                bth(opcode, ACK_REQUEST, 0, QP_B, psn),
                List.of(new AtomicEth(0x7F00_0000_4000L, RKEY, swapOrAdd, compare)),
                Payload.EMPTY);
    }

    private static ExpectedFrame atomicAcknowledge(String icrc, int psn, int msn, long original) {
        return frame(
                "RC ATOMIC Acknowledge",
                icrc,
                fromB(56, 0x26B1),
                bth(0x12, NONE, 0, QP_A, psn),
                List.of(new Aeth(ACK, msn), new AtomicAckEth(original)),
                Payload.EMPTY);
    }

    @Test
    void refusalsAreUnderstood() {
        ExpectedFrame.assertFrames(
                IPV4,
                18,
                List.of(
                        acknowledge("40a95271", 0x10C, 0x2E, 10),
                        acknowledge("4e86990a", 0x10C, 0x60, 10),
                        acknowledge("2be125b2", 0x10C, 0x61, 10),
                        acknowledge("c54e90a0", 0x10C, 0x62, 10),
                        acknowledge("a0292c18", 0x10C, 0x63, 10)));
        assertThat(VectorFrame.read(IPV4).subList(17, 22))
                .extracting(ReliableVectorsTest::syndromeInWords)
                .containsExactly(
                        "RNR NAK, wait 1.28 ms",
                        "NAK PSN sequence error",
                        "NAK invalid request",
                        "NAK remote access error",
                        "NAK remote operational error");
    }

    private static String syndromeInWords(VectorFrame frame) {
        PacketView view = new PacketView();
        assertThat(frame.wrap(view)).isEqualTo(Verdict.OK);
        return AethSyndrome.words(Aeth.syndrome(frame.packet(), view.at(ExtendedHeader.AETH)));
    }

    private static ExpectedFrame acknowledge(String icrc, int psn, int syndrome, int msn) {
        return frame(
                "RC Acknowledge",
                icrc,
                fromB(48, 0x26B9),
                bth(0x11, NONE, 0, QP_A, psn),
                List.of(new Aeth(syndrome, msn)),
                Payload.EMPTY);
    }

    /// ECN-capable, as all traffic of this connection.
    private static Envelope fromA(int totalLength, int checksum) {
        return HandMade.fromA(0x02, totalLength, checksum);
    }

    private static Envelope fromB(int totalLength, int checksum) {
        return HandMade.fromB(0x02, totalLength, checksum);
    }

    @Test
    void theSameOverIpv6IsUnderstood() {
        Gid a = new Gid(0xFD00_0000_0000_0000L, 1);
        Gid b = new Gid(0xFD00_0000_0000_0000L, 2);
        Ethernet toB = Ethernet.of(MAC_B, MAC_A, 0x86DD);
        Ethernet toA = Ethernet.of(MAC_A, MAC_B, 0x86DD);
        ExpectedFrame.assertFrames(
                "rocev2-ipv6-rc.pcap",
                1,
                List.of(
                        frame(
                                "RC SEND Only",
                                "fe0730d5",
                                new Envelope.RoceV2(
                                        toB, new Ipv6(2, 0x12345, 40, 17, 64, a, b), udp(40)),
                                bth(0x04, ACK_REQUEST, 3, QP_B, 0x100),
                                List.of(),
                                text("Hello, RoCE!!")),
                        frame(
                                "RC Acknowledge",
                                "f41bcd8a",
                                new Envelope.RoceV2(
                                        toA, new Ipv6(2, 0x12345, 28, 17, 64, b, a), udp(28)),
                                bth(0x11, NONE, 0, QP_A, 0x100),
                                List.of(new Aeth(ACK, 1)),
                                Payload.EMPTY),
                        frame(
                                "RC WRITE Only",
                                "d432a68a",
                                new Envelope.RoceV2(
                                        toB, new Ipv6(2, 0x12345, 56, 17, 64, a, b), udp(56)),
                                bth(0x0A, ACK_REQUEST, 0, QP_B, 0xFFFFFF),
                                List.of(new Reth(0x1000, 0xABCD, 16)),
                                text("0123456789abcdef"))));
    }
}
