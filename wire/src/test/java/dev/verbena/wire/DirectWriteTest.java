package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Headers written field by field are those of their records, whatever the memory held before.
class DirectWriteTest {
    private static final int AT = 6;

    private final MemorySegment direct = segment(0xA5);

    private static MemorySegment segment(int filling) {
        byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte) filling);
        return MemorySegment.ofArray(bytes);
    }

    @Test
    void anIpv4HeaderIsThatOfItsRecordWithTheRightChecksum() {
        Ipv4.put(direct, AT, 0x6A, 0x1234, 63, 0x0A0B_0C0D, 0xC0A8_0102);

        int checksum = BigEndian.u16(direct, AT + 10);
        assertThat(Ipv4.parse(direct, AT))
                .isEqualTo(
                        new Ipv4(
                                0x6A,
                                0x1234,
                                0,
                                0x4000,
                                63,
                                17,
                                checksum,
                                0x0A0B_0C0D,
                                0xC0A8_0102));
        assertThat(BigEndian.u8(direct, AT)).isEqualTo(0x45);
        assertThat(Ipv4.checksumIsRight(direct, AT)).isTrue();
        requireUntouched(AT + Ipv4.LENGTH);
    }

    @Test
    void aGrhIsThatOfItsRecord() {
        Grh.put(direct, AT, 0x9A, 0x6789A, 0x1234, 0x1B, 63);
        Grh.putGids(direct, AT, 1, 2, 3, 4);

        assertThat(Grh.parse(direct, AT))
                .isEqualTo(
                        new Grh(6, 0x9A, 0x6789A, 0x1234, 0x1B, 63, new Gid(1, 2), new Gid(3, 4)));
        requireUntouched(AT + Grh.LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Bth.SOLICITED, Bth.MIGRATION, Bth.ACK_REQUEST})
    void aBthIsThatOfItsRecord(int flags) {
        for (int padCount = 0; padCount < 4; padCount++) {
            Bth.put(direct, AT, 0xA4, flags, padCount, 0x8001, 0x123456, 0xFEDCBA);

            assertThat(Bth.parse(direct, AT))
                    .isEqualTo(
                            new Bth(
                                    0xA4,
                                    flags == Bth.SOLICITED,
                                    flags == Bth.MIGRATION,
                                    padCount,
                                    0,
                                    0x8001,
                                    false,
                                    false,
                                    0x123456,
                                    flags == Bth.ACK_REQUEST,
                                    0xFEDCBA));
            requireUntouched(AT + Bth.LENGTH);
        }
    }

    @Test
    void aBthOfAnOpcodeIsInTheDefaultPartitionWithoutFlags() {
        Bth.of(Opcode.of(0x64), 7, 9).emit(direct, AT);

        MemorySegment same = segment(0);
        Bth.put(same, 0, 0x64, 0, 0, 0xFFFF, 7, 9);
        assertThat(direct.asSlice(AT, Bth.LENGTH).mismatch(same.asSlice(0, Bth.LENGTH)))
                .isEqualTo(-1);
    }

    private void requireUntouched(int end) {
        for (int i = 0; i < 64; i++) {
            if (i < AT || i >= end) {
                assertThat(BigEndian.u8(direct, i)).as("byte %d", i).isEqualTo(0xA5);
            }
        }
    }
}
