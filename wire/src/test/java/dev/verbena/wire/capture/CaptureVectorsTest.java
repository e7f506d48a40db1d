package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.capture.Captures.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files of other writers: tcpdump and a generator of its own.
class CaptureVectorsTest {
    private static final String VECTORS =
            """
            eth-lldp-dcbx.pcap, 1, 1
            eth-pfc-pause.pcap, 1, 2
            ib-link-erf.pcap, 197, 3
            ib-native-gsi-dlt247.pcap, 247, 8
            ib-native-gsi-erf.pcap, 197, 8
            ib-native-gsi-userdlt147.pcap, 147, 8
            ib-native-rc-dlt247.pcap, 247, 3
            ib-native-rc-erf.pcap, 197, 3
            ib-native-rc-userdlt147.pcap, 147, 3
            ib-native-smp-dlt247.pcap, 247, 13
            ib-native-smp-erf.pcap, 197, 13
            ib-native-smp-userdlt147.pcap, 147, 13
            rocev1-rc-gsi.pcap, 1, 3
            rocev2-cm.pcap, 1, 7
            rocev2-cnp.pcap, 1, 2
            rocev2-ipv4-rc.pcap, 1, 22
            rocev2-ipv4-uc-ud.pcap, 1, 5
            rocev2-ipv6-rc.pcap, 1, 3
            rocev2-real-nic.pcap, 1, 2
            rocev2-xrc.pcap, 1, 1
            rxe-kernel-ipv4.pcap, 1, 204
            rxe-kernel-ipv6.pcap, 1, 220
            """;

    @ParameterizedTest
    @CsvSource(textBlock = VECTORS)
    void readsEveryFrame(String name, int linkType, int frames) throws IOException {
        Outcome outcome = Captures.read(Captures.vector(name));
        assertThat(outcome.status()).isEqualTo(CaptureStatus.END);
        assertThat(outcome.packets()).hasSize(frames);
        assertThat(outcome.packets())
                .allSatisfy(
                        packet -> {
                            assertThat(packet.type()).isEqualTo(new LinkType(linkType));
                            assertThat(packet.original())
                                    .isEqualTo(packet.bytes().content().size());
                        });
    }

    @ParameterizedTest
    @CsvSource(textBlock = VECTORS)
    void writesTheSameBytesBack(String name, int linkType, int frames) throws IOException {
        byte[] file = Captures.vector(name);
        assertThat(asMicrosecondPcap(file, file)).isEqualTo(file);
    }

    @ParameterizedTest
    @CsvSource(textBlock = VECTORS)
    void losesNothingOnTheWayThroughPcapng(String name, int linkType, int frames)
            throws IOException {
        byte[] file = Captures.vector(name);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CaptureReader reader = Captures.open(file);
                PcapngWriter writer =
                        PcapngWriter.on(Channels.newChannel(out), new LinkType(linkType))) {
            copy(reader, writer);
        }
        byte[] pcapng = out.toByteArray();
        assertThat(Captures.read(pcapng).packets())
                .hasSize(frames)
                .isEqualTo(Captures.read(file).packets());
        assertThat(asMicrosecondPcap(pcapng, file)).isEqualTo(file);
    }

    private static byte[] asMicrosecondPcap(byte[] file, byte[] like) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(like).order(ByteOrder.LITTLE_ENDIAN);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(out);
        LinkType linkType = new LinkType(header.getInt(20));
        int snapLength = header.getInt(16);
        try (CaptureReader reader = Captures.open(file);
                CaptureWriter writer =
                        PcapWriter.on(channel, linkType, TimePrecision.MICROSECONDS, snapLength)) {
            copy(reader, writer);
        }
        return out.toByteArray();
    }

    private static void copy(CaptureReader reader, CaptureWriter writer) throws IOException {
        while (reader.next() == CaptureStatus.PACKET) {
            writer.write(
                    reader.interfaceIndex(),
                    reader.timestampNs(),
                    reader.originalLength(),
                    reader.segment(),
                    reader.at(),
                    reader.length());
        }
        assertThat(reader.next()).isEqualTo(CaptureStatus.END);
    }
}
