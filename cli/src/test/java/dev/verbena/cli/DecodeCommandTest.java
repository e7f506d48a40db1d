package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("command")
class DecodeCommandTest {
    @TempDir private Path folder = Path.of("");

    static Stream<Path> vectors() throws IOException {
        try (Stream<Path> files = Files.list(Captures.vector(""))) {
            return files.filter(file -> file.toString().endsWith(".pcap")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void findsNothingWrongInAnyVector(Path file) {
        Command command = Command.run("decode", "--strict", file);

        assertThat(command.status()).as(command.out()).isZero();
        assertThat(command.out()).doesNotContain("BAD").doesNotContain("REFUSED");
        assertThat(command.err()).isEmpty();
    }

    @Test
    void bothLinuxCapturesHaveAllTheirIcrcsRight() {
        assertThat(
                        Command.run("decode", "--summary", Captures.vector("rxe-kernel-ipv4.pcap"))
                                .out())
                .contains("204 frames in")
                .contains("ICRC 204 right, 0 wrong");
        assertThat(
                        Command.run("decode", "--summary", Captures.vector("rxe-kernel-ipv6.pcap"))
                                .out())
                .contains("220 frames in")
                .contains("ICRC 220 right, 0 wrong");
    }

    @Test
    void aCorruptPacketIsShownWithTheIcrcItShouldHave() throws IOException {
        Path file =
                Captures.write(
                        folder.resolve("corrupt.pcap"),
                        Captures.send(7),
                        Captures.flip(Captures.send(8), 53));

        Command command = Command.run("decode", "--bad", "--strict", file);

        assertThat(command.status()).isEqualTo(1);
        assertThat(command.out()).contains("    2 ").contains("icrc BAD: has ").contains("needs ");
        assertThat(command.out()).contains("ICRC 0 right, 1 wrong").doesNotContain("psn 0x000007");
    }

    @Test
    void retransmissionsAndNaksAreCountedPerFlow() throws IOException {
        Path file =
                Captures.write(
                        folder.resolve("loss.pcap"),
                        Captures.send(0xFFFFFF),
                        Captures.send(0),
                        Captures.send(2),
                        Captures.answer(AethSyndrome.NAK_SEQUENCE, 1),
                        Captures.send(1),
                        Captures.send(2),
                        Captures.answer(AethSyndrome.RNR_NAK | 12, 2),
                        Captures.send(2),
                        Captures.answer(AethSyndrome.NAK_REMOTE_ACCESS, 2));

        String json = Command.run("decode", "--summary", "--json", file).out();

        assertThat(json)
                .contains(
                        "\"qp\":18,\"service\":\"RC\",\"packets\":6,\"payload_bytes\":0,"
                                + "\"first_psn\":16777215,\"newest_psn\":2,\"retransmissions\":3")
                .contains("\"sequence_naks\":1,\"fatal_naks\":1,\"rnr_naks\":1");
    }

    @Test
    void everyLineOfJsonIsAnObject() throws IOException {
        String json = Command.run("decode", "--json", Captures.vector("rocev2-cm.pcap")).out();

        assertThat(json.lines()).hasSize(8);
        for (String line : json.lines().toList()) {
            try (JsonParser parser = new JsonFactory().createParser(line)) {
                parser.nextToken();
                parser.skipChildren();
                assertThat(parser.nextToken()).isNull();
            }
        }
        assertThat(json.lines().findFirst().orElse(""))
                .contains("\"name\":\"UD SEND Only\"")
                .contains("\"mad\":\"CM REQ ");
    }

    @Test
    void filtersChooseByQueuePairAndOpcode() {
        Path file = Captures.vector("rocev2-ipv4-rc.pcap");

        assertThat(packets(Command.run("decode", "--qp", "0x11", file))).isEqualTo(11);
        assertThat(packets(Command.run("decode", "--qp", "17", "--opcode", "read", file)))
                .isEqualTo(3);
        assertThat(packets(Command.run("decode", "--opcode", "0x13", file))).isEqualTo(1);
        assertThat(packets(Command.run("decode", "--opcode", "write", "--opcode", "cmpswap", file)))
                .isEqualTo(5);
    }

    private static long packets(Command command) {
        return command.out().lines().filter(line -> line.contains("icrc ok")).count();
    }

    @Test
    void aFileThatEndsTooEarlySaysWhere() throws IOException {
        byte[] whole = Files.readAllBytes(Captures.vector("rocev2-ipv4-rc.pcap"));
        Path file = folder.resolve("short.pcap");
        Files.write(file, Arrays.copyOf(whole, whole.length - 3));

        Command command = Command.run("decode", file);

        assertThat(command.status()).isEqualTo(1);
        assertThat(packets(command)).isEqualTo(21);
        assertThat(command.err()).contains("short.pcap cannot be read to its end").contains("byte");
    }

    @Test
    void aMissingFileAndAWrongNumberAreExplained() {
        Command missing = Command.run("decode", folder.resolve("none.pcap"));
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err()).contains("no file ").contains("none.pcap");

        Command wrong = Command.run("decode", "--qp", "twelve", "x.pcap");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("--qp twelve is not a number like 0x12 or 18");
    }

    @Test
    void whatIsNoCaptureIsSaidInOneLine() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "not a capture");

        Command notes = Command.run("decode", text);
        Command directory = Command.run("decode", folder);

        assertThat(notes.status()).isEqualTo(1);
        assertThat(notes.out()).isEmpty();
        assertThat(notes.err()).hasLineCount(1).contains("magic number of neither pcap nor pcapng");
        assertThat(directory.status()).isEqualTo(1);
        assertThat(directory.err()).hasLineCount(1).contains("Is a directory");
    }

    @Test
    void aPacketCapturedInPartStillShowsItsHeaders() throws IOException {
        Path file = folder.resolve("snap.pcapng");
        MemorySegment send = Captures.send(7);
        try (PcapngWriter writer =
                PcapngWriter.on(
                        Files.newByteChannel(
                                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        LinkType.ETHERNET)) {
            writer.write(0, 1, send.byteSize(), send, 0, (int) send.byteSize() - 2);
            writer.write(0, 2, send.byteSize(), send, 0, 40);
        }

        Command command = Command.run("decode", "--strict", file);

        assertThat(command.status()).as(command.err() + command.out()).isZero();
        assertThat(command.out())
                .contains("psn 0x000007  (captured in part)")
                .contains("only 40 of 58 bytes were captured")
                .doesNotContain("ICRC");
    }

    @Test
    void anErfRecordThatWasCutShowsNothingThatWasNotCaptured() throws IOException {
        Path file = folder.resolve("cut-erf.pcapng");
        try (CaptureReader reader =
                        CaptureReader.open(
                                Files.newByteChannel(Captures.vector("ib-native-rc-erf.pcap")));
                PcapngWriter writer =
                        PcapngWriter.on(
                                Files.newByteChannel(
                                        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                                LinkType.ERF)) {
            while (reader.next() == CaptureStatus.PACKET) {
                long whole = reader.originalLength();
                writer.write(0, 1, whole, reader.segment(), reader.at(), 40);
            }
        }

        Command command = Command.run("decode", "--strict", file);

        assertThat(command.status()).isZero();
        assertThat(command.out())
                .contains("only 40 of ")
                .contains("qp 0x000012 psn 0x000100  13 B")
                .doesNotContain("qp 0x000000")
                .contains("refused 2: captured in part");
    }

    @Test
    void foreignTrafficIsNamedAndIsNoFault() throws IOException {
        byte[] arp = new byte[60];
        arp[12] = 8;
        arp[13] = 6;
        Path file = Captures.write(folder.resolve("arp.pcap"), MemorySegment.ofArray(arp));

        Command command = Command.run("decode", "--strict", file);

        assertThat(command.status()).isZero();
        assertThat(command.out()).contains("not RDMA: EtherType is none");
    }
}
