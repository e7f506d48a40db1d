package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Packet;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The comparison can fail: whatever differs is reported, and no known fault hides it.
class ComparisonTest {
    private static final Encapsulation ROCE = Encapsulation.ROCE_V2_IPV4;
    private static final String PSN = "infiniband.bth.psn";

    private final Packets packets = new Packets(Seed.forTest("ComparisonTest", 12).random());

    @Test
    void reportsAnExpectationThatTheCaptureDoesNotMeet() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.RC, Operation.WRITE_ONLY));
        Path file = packets.write("wrong-expectation.pcap", List.of(packet));
        Frame frame = read(file, packet);
        String wrong = Integer.toString(packet.bth().psn() ^ 1);
        Frame changed = new Frame(frame.title(), frame.opcode(), frame.expect().with(PSN, wrong));

        assertThat(Reports.compare("", file, List.of(frame)).differences()).isEmpty();
        assertThat(Reports.compare("", file, List.of(changed)).differences())
                .containsExactly(
                        "frame 1, RC WRITE Only: %s is [%s], tshark prints [%d]"
                                .formatted(PSN, wrong, packet.bth().psn()));
    }

    @Test
    void reportsEveryByteThatIsChangedInTheCapture() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.UD, Operation.SEND_ONLY_IMMEDIATE));
        Frame frame = read(packets.write("right.pcap", List.of(packet)), packet);
        int bthAt = packet.envelope().length();
        // Of the BTH the P_Key, the destination, the PSN; of the DETH the Q_Key; the ICRC.
        for (int at :
                new int[] {bthAt + 3, bthAt + 7, bthAt + 11, bthAt + 12, packet.length() - 1}) {
            MemorySegment bytes = packet.emit(new Icrc());
            BigEndian.put8(bytes, at, BigEndian.u8(bytes, at) ^ 1);
            Path file = Captures.ethernet("changed-byte.pcap", List.of(bytes));

            assertThat(Reports.compare("", file, List.of(frame)).differences()).hasSize(1);
        }
    }

    @Test
    void countsAMalformedFrame() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.RC, Operation.ACKNOWLEDGE));
        Frame frame = read(packets.write("right.pcap", List.of(packet)), packet);
        MemorySegment bytes = packet.emit(new Icrc());
        // An atomic needs 28 bytes behind the BTH, and an acknowledgement has eight.
        int opcode = Opcode.of(Service.RC, Operation.FETCH_ADD).code();
        BigEndian.put8(bytes, packet.envelope().length(), opcode);
        Path file = Captures.ethernet("malformed.pcap", List.of(bytes));

        Report report = Reports.compare("", file, List.of(frame));

        assertThat(report.malformed()).isOne();
        assertThat(report.differences()).contains("frame 1, RC Acknowledge, is malformed");
    }

    @Test
    void reportsAFrameThatIsMissing() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.RC, Operation.SEND_ONLY));
        Path file = packets.write("missing.pcap", List.of(packet));
        Frame frame = read(file, packet);

        assertThat(Reports.compare("", file, List.of(frame, frame)).differences())
                .containsExactly("tshark sees 1 frames of 2");
    }

    @Test
    void reportsAFieldThatNoFrameShouldHave() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.RC, Operation.SEND_ONLY));
        Frame frame = read(packets.write("right.pcap", List.of(packet)), packet);
        Frame other = new Frame("other", frame.opcode(), new Expect().number("macc.opcode", 1));
        Map<String, List<String>> row = Map.of("macc.opcode", List.of("0x0001"));

        assertThat(Comparison.of("", "", List.of(frame, other), List.of(row, row)).differences())
                .contains("frame 1, RC SEND Only: macc.opcode is [], tshark prints [0x0001]");
    }

    @Test
    void aKnownFaultDoesNotHideAnotherDifference() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.XRC, Operation.WRITE_ONLY));
        Path file = packets.write("known-fault.pcap", List.of(packet));
        Frame frame = read(file, packet);
        Frame wrongPsn = new Frame("wrong", frame.opcode(), frame.expect().with(PSN, "16777216"));
        Map<String, List<String>> wrongKey = Map.of("infiniband.reth.r_key", List.of("0x00000007"));

        assertThat(Reports.compare("", file, List.of(frame)).differences()).isEmpty();
        assertThat(Reports.compare("", file, List.of(wrongPsn)).differences()).hasSize(1);
        assertThat(Comparison.of("", "", List.of(frame), List.of(wrongKey)).differences())
                .anyMatch(line -> line.contains("infiniband.reth.r_key"));
    }

    @Test
    void aKnownFaultThatNoLongerShowsIsNoDifference() {
        Packet packet = packets.draw(ROCE, Opcode.of(Service.XRC, Operation.READ_REQUEST));
        Frame frame = read(packets.write("right.pcap", List.of(packet)), packet);
        Map<String, List<String>> asExpected = new HashMap<>();
        for (String name : frame.expect().names()) {
            asExpected.put(name, frame.expect().field(name).orElseThrow().values());
        }

        Report report = Comparison.of("", "", List.of(frame), List.of(asExpected));

        assertThat(report.differences()).isEmpty();
        assertThat(report.faults()).isEmpty();
    }

    @Test
    void saysHowToGetATsharkThatIsMissing() {
        assertThatThrownBy(() -> Tshark.at("no-such-tshark"))
                .hasMessage("tshark is not installed: apt-get install tshark");
    }

    private Frame read(Path file, Packet packet) {
        return packets.read(file, List.of(packet), PacketFields::of).getFirst();
    }
}
