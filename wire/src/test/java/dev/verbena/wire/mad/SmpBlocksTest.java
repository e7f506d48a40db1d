package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class SmpBlocksTest {
    private final MemorySegment block = MemorySegment.ofArray(new byte[Smp.DATA_LENGTH]);

    @Test
    void keepAnEntryInItsPlace() {
        SmpBlocks.guid(block, 0, 7, 0x0102_0304_0506_0708L);
        assertThat(SmpBlocks.guid(block, 0, 7)).isEqualTo(BigEndian.i64(block, 56));
        SmpBlocks.pkey(block, 0, 31, 0x8123);
        assertThat(SmpBlocks.pkey(block, 0, 31)).isEqualTo(0x8123);
        assertThat(BigEndian.u16(block, 62)).isEqualTo(0x8123);
        SmpBlocks.port(block, 0, 63, 255);
        assertThat(SmpBlocks.port(block, 0, 63)).isEqualTo(255);
        SmpBlocks.ports(block, 0, 3, 0x8001);
        assertThat(SmpBlocks.ports(block, 0, 3)).isEqualTo(0x8001);
        assertThat(BigEndian.u16(block, 6)).isEqualTo(0x8001);
    }

    @Test
    void haveTheEvenServiceLevelInTheUpperHalfOfAByte() {
        SmpBlocks.lane(block, 0, 4, 0xA);
        SmpBlocks.lane(block, 0, 5, 0x5);

        assertThat(BigEndian.u8(block, 2)).isEqualTo(0xA5);
        assertThat(SmpBlocks.lane(block, 0, 4)).isEqualTo(0xA);
        assertThat(SmpBlocks.lane(block, 0, 5)).isEqualTo(0x5);

        SmpBlocks.lane(block, 0, 4, 3);
        assertThat(BigEndian.u8(block, 2)).isEqualTo(0x35);
    }

    @Test
    void haveLaneAndWeightSideBySide() {
        SmpBlocks.arbitration(block, 0, 31, 7, 64);

        assertThat(BigEndian.u16(block, 62)).isEqualTo(0x0740);
        assertThat(SmpBlocks.arbitrationLane(block, 0, 31)).isEqualTo(7);
        assertThat(SmpBlocks.arbitrationWeight(block, 0, 31)).isEqualTo(64);
    }
}
