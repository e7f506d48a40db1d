package dev.verbena.wire;

import static dev.verbena.wire.ExpectedFrame.frame;
import static dev.verbena.wire.HandMade.ACK_REQUEST;
import static dev.verbena.wire.HandMade.GID_A;
import static dev.verbena.wire.HandMade.GID_B;
import static dev.verbena.wire.HandMade.QP_B;
import static dev.verbena.wire.HandMade.bth;
import static dev.verbena.wire.HandMade.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Packets of native InfiniBand links, frame by frame; literals were read with tshark 4.0.17.
class NativeVectorsTest {
    private static final Envelope LOCAL = new Envelope.IbLocal(new Lrh(0, 0, 0, 2, 2, 10, 1));

    @ParameterizedTest
    @ValueSource(strings = {"erf", "dlt247", "userdlt147"})
    void reliableConnectionsAreUnderstoodInEveryLinkType(String kind) {
        ExpectedFrame.assertFrames(
                "ib-native-rc-" + kind + ".pcap",
                1,
                List.of(
                        frame(
                                "RC WRITE Only",
                                "9625b75a" + "45fa",
                                new Envelope.IbLocal(new Lrh(7, 0, 1, 2, 0x375C, 14, 0x17D2)),
                                new Bth(
                                        0x0A, false, false, 2, 0, 0x2487, false, false, 0x87B1B3,
                                        false, 0x0DEC2A),
                                List.of(new Reth(0x0171_0A1C_015D_4002L, 0x38F27A05, 14)),
                                Payload.of(Hex.bytes("bb884d85fd5cfba4728bc0690ed4"))),
                        frame(
                                "RC SEND Only",
                                "bfeefe1e" + "c8a3",
                                LOCAL,
                                bth(0x04, ACK_REQUEST, 3, QP_B, 0x100),
                                List.of(),
                                text("Hello, RoCE!!")),
                        frame(
                                "RC SEND Only",
                                "8fff1e37" + "d89d",
                                new Envelope.IbGlobal(
                                        new Lrh(1, 0, 1, 3, 2, 20, 1),
                                        new Grh(6, 0, 0, 32, 0x1B, 64, GID_A, GID_B)),
                                bth(0x04, ACK_REQUEST, 3, QP_B, 0x100),
                                List.of(),
                                text("Hello, RoCE!!"))));
    }

    @Test
    void linkPacketsStandBesideTransportPackets() {
        List<VectorFrame> frames = VectorFrame.read("ib-link-erf.pcap");

        assertThat(frames).extracting(VectorFrame::isLinkPacket).containsExactly(true, true, false);
        assertThat(frames.get(0).bytes()).isEqualTo(Hex.bytes("0123 0456 1cb3"));
        assertThat(FlowControl.parse(frames.get(0).packet(), 0))
                .isEqualTo(new FlowControl(FlowControl.NORMAL, 291, 0, 1110));
        assertThat(frames.get(1).bytes()).isEqualTo(Hex.bytes("1000 27ff 6d25"));
        assertThat(FlowControl.parse(frames.get(1).packet(), 0))
                .isEqualTo(new FlowControl(FlowControl.INITIALIZE, 0, 2, 2047));
        ExpectedFrame.assertFrames(
                "ib-link-erf.pcap",
                3,
                List.of(
                        frame(
                                "RC SEND Only",
                                "9e2ede26" + "f35c",
                                LOCAL,
                                bth(0x04, ACK_REQUEST, 0, QP_B, 0x100),
                                List.of(),
                                text("erf-native-ib!!!"))));
    }
}
