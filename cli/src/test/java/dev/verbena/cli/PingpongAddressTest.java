package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.verbs.Gid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PingpongAddressTest {
    private static final PingpongAddress ADDRESS =
            new PingpongAddress(0, 0x11, 0xabcdef, Gid.parse("10.99.0.11"));

    @Test
    void isTheTextThatLinuxSends() {
        assertThat(new String(ADDRESS.toBytes(), StandardCharsets.US_ASCII))
                .isEqualTo("0000:000011:abcdef:00000000000000000000ffff0a63000b\0")
                .hasSize(PingpongAddress.LENGTH);
        assertThat(PingpongAddress.parse(ADDRESS.toBytes(), PingpongType.RC)).isEqualTo(ADDRESS);
    }

    @Test
    void isShownAsLinuxShowsIt() {
        assertThat(ADDRESS)
                .hasToString("LID 0x0000, QPN 0x000011, PSN 0xabcdef, GID ::ffff:10.99.0.11");
    }

    @Test
    void aPeerWithoutGidIsToldToNameOne() {
        byte[] none = new PingpongAddress(0, 1, 2, Gid.NONE).toBytes();

        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> PingpongAddress.parse(none, PingpongType.RC))
                .withMessageContaining("-g INDEX");
    }

    @Test
    void anotherProgramIsRecognised() {
        byte[] other = new byte[PingpongAddress.LENGTH];

        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> PingpongAddress.parse(other, PingpongType.RC))
                .withMessageContaining("not an address of ibv_rc_pingpong");
    }
}
