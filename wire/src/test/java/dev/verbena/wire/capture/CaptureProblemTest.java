package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.capture.Captures.Outcome;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Each problem by its smallest file, with the words that name the place and the numbers.
class CaptureProblemTest {
    private static final byte[] PACKET = {1, 2, 3, 4, 5};
    private static final int PCAP = 0xA1B2C3D4;

    @Test
    void namesAPacketBeyondTheLimit() throws IOException {
        Blocks file = Blocks.little().pcapHeader(PCAP, 1).pcapRecord(1, 1, PACKET);
        file.u32(2).u32(2).u32(0xFFFF_FFFFL).u32(60);
        assertProblem(
                file,
                CaptureStatus.PACKET_TOO_LONG,
                "record at byte 45 claims 4294967295 bytes; the limit is 262144");
    }

    @Test
    void namesWhatTheFileEndsIn() throws IOException {
        byte[] file = Blocks.little().pcapHeader(PCAP, 1).pcapRecord(1, 1, PACKET).bytes();
        assertProblem(
                Arrays.copyOf(file, 43),
                CaptureStatus.TRUNCATED,
                "record at byte 24: the file ends at byte 43, inside its packet of 5 bytes");
        assertProblem(
                Arrays.copyOf(file, 30),
                CaptureStatus.TRUNCATED,
                "record at byte 24: the file ends at byte 30, inside its header of 16 bytes");
        assertProblem(
                new byte[3],
                CaptureStatus.TRUNCATED,
                "the file has 3 bytes; its magic number alone needs 4");
    }

    @Test
    void aFileOfBlocksThatIsCutAnywhereIsTruncated() throws IOException {
        Blocks file = Blocks.little().section();
        int first = file.size();
        file.describe(1, 0, file.sub().option(9, new byte[] {6}).option(14, new byte[8]).u32(0));
        int second = file.size();
        byte[] whole = file.enhanced(0, 1, PACKET).bytes();
        for (int cut = 4; cut < whole.length; cut++) {
            Outcome outcome = Captures.read(Arrays.copyOf(whole, cut));
            assertThat(outcome.status())
                    .as("cut at %d", cut)
                    .isEqualTo(
                            cut == first || cut == second
                                    ? CaptureStatus.END
                                    : CaptureStatus.TRUNCATED);
        }
        String record = "record at byte %d: ".formatted(second);
        assertProblem(
                Arrays.copyOf(whole, second + 18),
                CaptureStatus.TRUNCATED,
                record
                        + "the file ends at byte %d, inside its block of 40 bytes"
                                .formatted(second + 18));
        assertProblem(
                Arrays.copyOf(whole, second + 30),
                CaptureStatus.TRUNCATED,
                record
                        + "the file ends at byte %d, inside its packet of 5 bytes"
                                .formatted(second + 30));
    }

    @Test
    void aPacketBeyondTheLimitEndsAFileOfBlocks() throws IOException {
        byte[] tooLong = new byte[CaptureReader.PACKET_BYTES_MAX + 1];
        assertProblem(
                oneInterface().enhanced(0, 1, tooLong).enhanced(0, 2, PACKET),
                CaptureStatus.PACKET_TOO_LONG,
                "record at byte 48 claims 262145 bytes; the limit is 262144");
    }

    @Test
    void aSectionOfVersionOneTwoIsTakenForOneZeroAndNoOtherIs() throws IOException {
        assertThat(Captures.read(section(2).bytes()).status()).isEqualTo(CaptureStatus.END);
        assertProblem(
                section(1),
                CaptureStatus.BAD_VERSION,
                "block at byte 0 starts a section of version 1.1; the known one is 1.0");
    }

    private static Blocks section(int minor) {
        Blocks body = Blocks.little().u32(0x1A2B3C4D).u16(1).u16(minor).i64(-1);
        return Blocks.little().block(PcapngRecords.SECTION_HEADER, body.bytes());
    }

    @Test
    void aBlockWithoutABodyIsSkipped() throws IOException {
        Outcome outcome =
                Captures.read(oneInterface().block(77, new byte[0]).enhanced(0, 1, PACKET).bytes());
        assertThat(outcome.status()).isEqualTo(CaptureStatus.END);
        assertThat(outcome.packets()).hasSize(1);
    }

    @Test
    void handsOutAPacketBeforeItsBlockTurnsOutCut() throws IOException {
        Blocks file = oneInterface().enhanced(0, 1, PACKET);
        Outcome outcome = Captures.read(Arrays.copyOf(file.bytes(), file.size() - 1));
        assertThat(outcome.packets()).hasSize(1);
        assertThat(outcome.status()).isEqualTo(CaptureStatus.TRUNCATED);
        assertThat(outcome.problem())
                .isEqualTo(
                        "record at byte 48: the file ends at byte 87, inside its block of 40"
                                + " bytes");
    }

    @Test
    void namesAForeignMagic() throws IOException {
        assertProblem(
                Blocks.big().u32(0x1F8B0800),
                CaptureStatus.BAD_MAGIC,
                "the file starts with 0x1f8b0800, which is the magic number of neither pcap nor"
                        + " pcapng");
    }

    @Test
    void namesAVersionThatIsUnknown() throws IOException {
        assertProblem(
                Blocks.little().u32(PCAP).u16(2).u16(3).i64(0).i64(0),
                CaptureStatus.BAD_VERSION,
                "pcap version is 2.3; the known one is 2.4");
        Blocks body = Blocks.little().u32(0x1A2B3C4D).u16(2).u16(0).i64(-1);
        assertProblem(
                Blocks.little().block(PcapngRecords.SECTION_HEADER, body.bytes()),
                CaptureStatus.BAD_VERSION,
                "block at byte 0 starts a section of version 2.0; the known one is 1.0");
    }

    @Test
    void namesAByteOrderThatIsNeither() throws IOException {
        Blocks body = Blocks.little().u32(0x1A2B3C4E).u16(1).u16(0).i64(-1);
        assertProblem(
                Blocks.little().block(PcapngRecords.SECTION_HEADER, body.bytes()),
                CaptureStatus.BYTE_ORDER,
                "block at byte 0 has byte-order magic 0x1a2b3c4e; the known one is 0x1a2b3c4d");
    }

    @Test
    void namesABlockLengthThatCannotBe() throws IOException {
        assertProblem(
                Blocks.big().section().u32(77).u32(14).i64(0),
                CaptureStatus.BLOCK_LENGTH,
                "block at byte 28 claims a length of 14; at least 12 and a multiple of 4 is"
                        + " possible");
        assertProblem(
                oneInterface().block(PcapngRecords.ENHANCED_PACKET, new byte[16]),
                CaptureStatus.BLOCK_LENGTH,
                "block at byte 48 claims a length of 28; its fixed fields alone need 32");
    }

    @Test
    void namesTwoLengthsThatDiffer() throws IOException {
        assertProblem(
                oneInterface().u32(77).u32(16).u32(0).u32(20),
                CaptureStatus.BLOCK_TRAILER,
                "block at byte 48 claims 16 bytes before its body and 20 after it");
    }

    @Test
    void namesAnOptionThatDoesNotFit() throws IOException {
        Blocks file = Blocks.little().section();
        assertProblem(
                file.describe(1, 0, file.sub().u16(2).u16(400).u32(0)),
                CaptureStatus.OPTION_LENGTH,
                "block at byte 28 has an option of 400 bytes where 4 are left");
        Blocks last = Blocks.little().section();
        assertProblem(
                last.describe(1, 0, last.sub().u16(2).u16(8)),
                CaptureStatus.OPTION_LENGTH,
                "block at byte 28 has an option of 8 bytes where 0 are left");
        Blocks other = Blocks.little().section();
        assertProblem(
                other.describe(1, 0, other.sub().option(14, new byte[4])),
                CaptureStatus.OPTION_LENGTH,
                "block at byte 28 has option 14 with 4 bytes; its kind has 8");
    }

    @Test
    void namesAPacketThatLeavesItsBlock() throws IOException {
        assertProblem(
                oneInterface().simple(9, PACKET),
                CaptureStatus.PACKET_EXCEEDS_BLOCK,
                "block at byte 48 claims a packet of 9 bytes where 8 are left");
    }

    @Test
    void namesAnInterfaceThatWasNotDescribed() throws IOException {
        assertProblem(
                oneInterface().enhanced(1, 0, PACKET),
                CaptureStatus.UNKNOWN_INTERFACE,
                "block at byte 48 names interface 1; its section has described 1");
        assertProblem(
                Blocks.little().section().simple(5, PACKET),
                CaptureStatus.UNKNOWN_INTERFACE,
                "block at byte 28 names interface 0; its section has described 0");
    }

    @Test
    void namesOneInterfaceTooMany() throws IOException {
        Blocks file = Blocks.little().section();
        for (int i = 0; i <= CaptureReader.INTERFACES_MAX; i++) {
            file.describe(1, 0, file.sub());
        }
        assertProblem(
                file,
                CaptureStatus.TOO_MANY_INTERFACES,
                "block at byte 5148 describes interface 257; the limit is 256 in a section");
    }

    @Test
    void namesATimeThatDoesNotFit() throws IOException {
        assertProblem(
                oneInterface().enhanced(0, 0x7FFF_FFFF_FFFF_FFFFL, PACKET),
                CaptureStatus.TIMESTAMP_RANGE,
                "block at byte 48 has timestamp 0x7fffffffffffffff on interface 0, which does not"
                        + " fit 63 bits in nanoseconds");
    }

    private static Blocks oneInterface() {
        Blocks file = Blocks.little().section();
        return file.describe(1, 0, file.sub());
    }

    private static void assertProblem(Blocks file, CaptureStatus status, String text)
            throws IOException {
        assertProblem(file.bytes(), status, text);
    }

    private static void assertProblem(byte[] file, CaptureStatus status, String text)
            throws IOException {
        Outcome outcome = Captures.read(file);
        assertThat(outcome.status()).isEqualTo(status);
        assertThat(outcome.problem()).isEqualTo(text);
    }
}
