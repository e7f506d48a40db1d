package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.Mad;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every stored frame is accepted, its checksums are right, and its records write it again.
///
/// What the frames mean is in the other tests of vectors; `vectors/README.md` says where they come
/// from.
class VectorsTest {
    /// File, frames, then how many of them have an ICRC, a VCRC and an LPCRC, and how many carry a
    /// message of the connection manager.
    private static final String FILES =
            """
            eth-lldp-dcbx.pcap,              1,   0,  0, 0, 0
            eth-pfc-pause.pcap,              2,   0,  0, 0, 0
            ib-link-erf.pcap,                3,   1,  1, 2, 0
            ib-native-gsi-dlt247.pcap,       8,   8,  8, 0, 0
            ib-native-gsi-erf.pcap,          8,   8,  8, 0, 0
            ib-native-gsi-userdlt147.pcap,   8,   8,  8, 0, 0
            ib-native-rc-dlt247.pcap,        3,   3,  3, 0, 0
            ib-native-rc-erf.pcap,           3,   3,  3, 0, 0
            ib-native-rc-userdlt147.pcap,    3,   3,  3, 0, 0
            ib-native-smp-dlt247.pcap,      13,  13, 13, 0, 0
            ib-native-smp-erf.pcap,         13,  13, 13, 0, 0
            ib-native-smp-userdlt147.pcap,  13,  13, 13, 0, 0
            rocev1-rc-gsi.pcap,              3,   3,  0, 0, 1
            rocev2-cm.pcap,                  7,   7,  0, 0, 7
            rocev2-cnp.pcap,                 2,   2,  0, 0, 0
            rocev2-ipv4-rc.pcap,            22,  22,  0, 0, 0
            rocev2-ipv4-uc-ud.pcap,          5,   5,  0, 0, 0
            rocev2-ipv6-rc.pcap,             3,   3,  0, 0, 0
            rocev2-real-nic.pcap,            2,   2,  0, 0, 0
            rocev2-xrc.pcap,                 1,   1,  0, 0, 0
            rxe-kernel-ipv4.pcap,          204, 204,  0, 0, 5
            rxe-kernel-ipv6.pcap,          220, 220,  0, 0, 5
            """;

    private final Icrc icrc = new Icrc();
    private final PacketView view = new PacketView();

    @Test
    void everyFileInTheDirectoryIsNamedHere() throws IOException, URISyntaxException {
        Path one =
                Path.of(
                        Objects.requireNonNull(
                                        VectorsTest.class.getResource("/vectors/rocev2-cm.pcap"))
                                .toURI());
        List<String> named =
                FILES.lines().map(line -> line.substring(0, line.indexOf(','))).toList();
        try (Stream<Path> files = Files.list(Objects.requireNonNull(one.getParent()))) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .filteredOn(name -> !name.equals("README.md"))
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = FILES)
    void everyFrameIsAcceptedAndWrittenAgainByteForByte(
            String file, int frames, int icrcs, int vcrcs, int lpcrcs, int messages) {
        Tally tally = new Tally();
        for (VectorFrame frame : VectorFrame.read(file)) {
            assertThat(frame.wrap(view)).as("%s", frame).isEqualTo(Verdict.OK);
            tally.frames++;
            if (frame.isLinkPacket()) {
                // Its door has compared the LPCRC already.
                tally.lpcrcs++;
                MemorySegment again = ExpectedFrame.soiled(FlowControl.LENGTH);
                FlowControl.parse(frame.packet(), 0).emit(again, 0);
                assertSame(frame, again);
                continue;
            }
            assertThat(view.integrity(icrc)).as("%s", frame).isEqualTo(Verdict.OK);
            switch (view.kind()) {
                case TRANSPORT -> transport(frame, tally);
                case PFC, PAUSE -> macControl(frame);
                // Discovery frames are read only; EthernetControlVectorsTest reads this one.
                case LLDP -> tally.readOnly++;
                case NONE -> throw new AssertionError(frame + " is nothing");
            }
        }
        System.out.printf("VectorsTest %s: %s%n", file, tally);
        assertThat(tally).hasToString(Tally.text(frames, icrcs, vcrcs, lpcrcs, messages));
        assertThat(tally.readOnly).isEqualTo(file.startsWith("eth-lldp") ? 1 : 0);
    }

    private void transport(VectorFrame frame, Tally tally) {
        Packet packet = Packet.parse(view);
        tally.icrcs++;
        tally.vcrcs += packet.envelope().encapsulation().isNative() ? 1 : 0;
        assertThat(ExpectedFrame.emitted(packet, icrc)).as("%s", frame).isEqualTo(frame.bytes());
        MemorySegment payload = packet.payload().segment();
        if (CmMessage.check(payload, 0, packet.payload().length()).isOk()) {
            tally.messages++;
            MemorySegment again = ExpectedFrame.soiled(Mad.LENGTH_TOTAL);
            CmMad.parse(payload, 0).emit(again, 0);
            assertThat(again.mismatch(payload)).as("%s", frame).isEqualTo(-1);
        }
    }

    /// The header and the body are records; what fills the frame up to its shortest length is not.
    private void macControl(VectorFrame frame) {
        Ethernet header = Ethernet.parse(frame.packet(), view.ethernetAt());
        MemorySegment again = ExpectedFrame.soiled(Ethernet.MIN_FRAME);
        header.emit(again, 0);
        int end = header.length();
        if (view.kind() == PacketKind.PFC) {
            Pfc.parse(frame.packet(), view.controlAt()).emit(again, end);
            end += Pfc.LENGTH;
        } else {
            Pause.parse(frame.packet(), view.controlAt()).emit(again, end);
            end += Pause.LENGTH;
        }
        again.asSlice(end).fill((byte) 0);
        assertSame(frame, again);
    }

    private static void assertSame(VectorFrame frame, MemorySegment again) {
        assertThat(again.toArray(ValueLayout.JAVA_BYTE)).as("%s", frame).isEqualTo(frame.bytes());
    }

    private static final class Tally {
        private int frames;
        private int icrcs;
        private int vcrcs;
        private int lpcrcs;
        private int messages;
        private int readOnly;

        static String text(int frames, int icrcs, int vcrcs, int lpcrcs, int messages) {
            return "%d frames; right are %d ICRCs, %d VCRCs, %d LPCRCs; %d CM messages"
                    .formatted(frames, icrcs, vcrcs, lpcrcs, messages);
        }

        @Override
        public String toString() {
            return text(frames, icrcs, vcrcs, lpcrcs, messages);
        }
    }
}
