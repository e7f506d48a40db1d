package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {
    private static final MemoryRegion REGION = new TestRegion(4096, 0x7F00_0000_1000L, 0xCAFE_F00D);
    private static final RemoteSlice REMOTE = REGION.remote();

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 4096", "4096, 0", "4095, 1", "17, 100"})
    void aPieceWithinTheRegionIsASlice(long offset, long length) {
        assertThat(REGION.slice(offset, length)).isEqualTo(new LocalSlice(REGION, offset, length));
        RemoteSlice remote = REMOTE.slice(offset, length);
        assertThat(remote.address()).isEqualTo(REGION.address() + offset);
        assertThat(remote.length()).isEqualTo(length);
        assertThat(remote.key()).isEqualTo(REGION.remoteKey());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4097",
        "4097, 0",
        "4096, 1",
        "-1, 1",
        "1, -1",
        "9223372036854775807, 1",
        "1, 9223372036854775807",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808"
    })
    void aPieceThatLeavesItIsRefusedAlsoWhereTheSumOverflows(long offset, long length) {
        String problem = "there are no " + length + " bytes from byte " + offset + " on";
        assertThatThrownBy(() -> REGION.slice(offset, length))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("mr 0xcafef00d: " + problem + "; it has 4096 bytes");
        assertThatThrownBy(() -> REGION.slice().slice(offset, length))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "mr 0xcafef00d, 4096 bytes from byte 0 on: "
                                + problem
                                + "; it has 4096 bytes");
        assertThatThrownBy(() -> REMOTE.slice(offset, length))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "remote 0x7f0000001000, 4096 bytes, key ..0d: "
                                + problem
                                + "; it has 4096 bytes");
    }

    @Test
    void aSliceOfASliceCountsFromTheFirst() {
        assertThat(REGION.slice(100, 50).slice(10, 40)).isEqualTo(REGION.slice(110, 40));
        assertThat(REMOTE.slice(100, 50).slice(10, 40)).isEqualTo(REMOTE.slice(110, 40));
        assertThatThrownBy(() -> REGION.slice(100, 50).slice(10, 41))
                .hasMessageContaining("it has 50 bytes");
        assertThatThrownBy(() -> REMOTE.slice(100, 50).slice(10, 41))
                .hasMessageContaining("it has 50 bytes");
    }

    @Test
    void theWholeRegionIsASliceOfItself() {
        assertThat(REGION.slice()).isEqualTo(REGION.slice(0, 4096));
        assertThat(REMOTE).isEqualTo(new RemoteSlice(0x7F00_0000_1000L, 4096, 0xCAFE_F00D));
    }

    @Test
    void theBytesAreFixed() {
        byte[] golden =
                HexFormat.of().parseHex("00007f0000001000" + "0000000000001000" + "cafef00d");
        assertThat(REMOTE.toBytes()).isEqualTo(golden).hasSize(RemoteSlice.LENGTH);
        assertThat(RemoteSlice.of(golden)).isEqualTo(REMOTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 21, 56, 196})
    void isReadFromPrivateDataThatIsPaddedWithZeros(int length) {
        byte[] padded = Arrays.copyOf(REMOTE.toBytes(), length);
        assertThat(RemoteSlice.of(padded)).isEqualTo(REMOTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 19, 21, 4096})
    void anotherLengthIsRefused(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 1);
        assertThatThrownBy(() -> RemoteSlice.of(bytes))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(length + " bytes are not a slice");
    }

    @Test
    void anyBytesAreReadBackTheSameOrRefused() {
        SplittableRandom random = new SplittableRandom(7);
        int read = 0;
        byte[] bytes = new byte[RemoteSlice.LENGTH];
        for (int i = 0; i < 100_000; i++) {
            random.nextBytes(bytes);
            try {
                RemoteSlice slice = RemoteSlice.of(bytes);
                assertThat(slice.toBytes()).isEqualTo(bytes);
                assertThat(slice.slice(slice.length(), 0).length()).isZero();
                read++;
            } catch (InvalidRequestException refused) {
                assertThat(refused.object()).isEqualTo("remote slice");
            }
        }
        assertThat(read).isBetween(10_000, 90_000);
    }

    @Test
    void aSliceEndsWithTheAddressSpaceAtTheLatest() {
        assertThat(new RemoteSlice(-8, 8, 1).slice(7, 1).address()).isEqualTo(-1);
        assertThat(new RemoteSlice(0, Long.MAX_VALUE, 1).length()).isEqualTo(Long.MAX_VALUE);
        assertThat(new RemoteSlice(-1, 0, 1).length()).isZero();
        assertThatThrownBy(() -> new RemoteSlice(-8, 9, 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("9 bytes from 0xfffffffffffffff8 on leave the address space");
        assertThatThrownBy(() -> new RemoteSlice(0, -1, 1)).hasMessageContaining("length -1");
    }
}
