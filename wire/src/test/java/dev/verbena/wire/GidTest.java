package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, ::",
        "0, 1, ::1",
        "1, 0, 0:0:0:1::",
        "fe80000000000000, 020000fffe000001, fe80::200:ff:fe00:1",
        "fd00000000000000, 1, fd00::1",
        "20010db800000000, 0001000000000001, 2001:db8::1:0:0:1",
        "20010db800000001, 0001000100010001, 2001:db8:0:1:1:1:1:1",
        "2001000000000000, 0001000000000000, 2001::1:0:0:0",
        "ffffffffffffffff, ffffffffffffffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "0001000200030004, 0005000600070008, 1:2:3:4:5:6:7:8",
        "0000000200030004, 0005000600070000, 0:2:3:4:5:6:7:0",
        "0, 0000ffff0a63000b, ::ffff:10.99.0.11",
        "0, 0000fffeffffffff, ::fffe:ffff:ffff",
    })
    void writesAndReadsTheTextOfRfc5952(String high, String low, String text) {
        Gid gid = new Gid(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16));

        assertThat(gid).hasToString(text);
        assertThat(Gid.ofText(text)).isEqualTo(gid);
    }

    @ParameterizedTest
    @CsvSource({
        "FE80::0200:00FF:FE00:0001, fe80::200:ff:fe00:1",
        "0:0:0:0:0:ffff:1.2.3.4, ::ffff:1.2.3.4",
        "::1.2.3.4, ::102:304",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:255.255.255.255, 1:2:3:4:5:6:ffff:ffff",
    })
    void readsTextThatItWouldWriteOtherwise(String text, String canonical) {
        assertThat(Gid.ofText(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":::",
                "1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1::2::3",
                "1:",
                ":1",
                "1::2:",
                ":1::2",
                "12345::",
                "::g",
                "::-1",
                "::1%eth0",
                "10.0.0.1",
                "::1.2.3",
                "::1.2.3.4.5",
                "::1.2.3.256",
                "::1.2.3.04",
                "::1.2.3.",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::\u0661",
                "localhost",
                " ::1",
            })
    void refusesTextThatIsNoGid(String text) {
        assertThatThrownBy(() -> Gid.ofText(text))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void keepsAnIpv4AddressInTheMappedForm() {
        Gid gid = Gid.ofIpv4(0xFF63_000B);

        assertThat(gid).isEqualTo(new Gid(0, 0x0000_FFFF_FF63_000BL));
        assertThat(gid.isIpv4Mapped()).isTrue();
        assertThat(gid.ipv4()).isEqualTo(0xFF63_000B);
    }

    @Test
    void hasNoIpv4AddressOutsideTheMappedForm() {
        assertThat(Gid.ofText("::1.2.3.4").isIpv4Mapped()).isFalse();
        assertThat(Gid.ofText("1::ffff:1.2.3.4").isIpv4Mapped()).isFalse();
        assertThatThrownBy(() -> Gid.ofText("fe80::1").ipv4())
                .isInstanceOf(WireException.class)
                .hasMessage("gid fe80::1 is not an IPv4-mapped address");
    }

    @Test
    void survivesBytesAndText() {
        SplittableRandom random = Seed.forTest("gid survives bytes and text", 0x61D).random();
        MemorySegment bytes = MemorySegment.ofArray(new byte[Gid.LENGTH + 3]);
        for (long round = 0; round < Seed.campaign(2_000); round++) {
            // Half of the groups are zero, so that runs of every length and place come up.
            Gid gid = new Gid(sparse(random), sparse(random));
            gid.emit(bytes, 3);
            assertThat(Gid.parse(bytes, 3)).isEqualTo(gid);
            assertThat(Gid.high(bytes, 3)).isEqualTo(gid.high());
            assertThat(Gid.low(bytes, 3)).isEqualTo(gid.low());
            assertThat(Gid.ofText(gid.toString())).isEqualTo(gid);
        }
    }

    private static long sparse(SplittableRandom random) {
        long value = random.nextLong();
        for (int shift = 0; shift < 64; shift += 16) {
            if (random.nextBoolean()) {
                value &= ~(0xFFFFL << shift);
            }
        }
        return value;
    }

    @Test
    void isZeroOnlyWhenAllBitsAre() {
        assertThat(Gid.ZERO.isZero()).isTrue();
        assertThat(new Gid(1, 0).isZero()).isFalse();
        assertThat(new Gid(0, 1).isZero()).isFalse();
    }
}
