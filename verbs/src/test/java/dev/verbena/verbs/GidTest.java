package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.10, 192.0.2.10",
        "::ffff:192.0.2.10, 192.0.2.10",
        "::ffff:c000:20a, 192.0.2.10",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "fe80::1, fe80::1",
        "FE80:0:0:0:0:0:0:1, fe80::1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:db8::, 2001:db8::",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "fe80::207:43ff:fe01:203, fe80::207:43ff:fe01:203",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8"
    })
    void textIsReadAndWrittenInTheShortForm(String text, String written) {
        assertThat(Gid.parse(text)).hasToString(written);
    }

    @Test
    void anIpv4AddressIsMapped() {
        assertThat(Gid.ofIpv4(0xC000_020A)).isEqualTo(Gid.parse("192.0.2.10"));
        assertThat(Gid.lowOfIpv4(-1)).isEqualTo(Gid.parse("255.255.255.255").low());
        assertThat(Gid.isIpv4(0, Gid.lowOfIpv4(0))).isTrue();
        assertThat(Gid.isIpv4(1, Gid.lowOfIpv4(0))).isFalse();
        assertThat(Gid.isIpv4(0, 0x1_FFFF_0000_0000L)).isFalse();
    }

    @Test
    void theBitsAreThoseOfTheAddress() {
        assertThat(Gid.parse("192.0.2.10")).isEqualTo(new Gid(0, 0xFFFF_C000_020AL));
        assertThat(Gid.parse("fe80::1:2")).isEqualTo(new Gid(0xFE80_0000_0000_0000L, 0x0001_0002L));
        assertThat(Gid.parse("::")).isEqualTo(Gid.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "localhost",
                "10",
                "1.2",
                "1.2.3",
                "1.2.3.4.5",
                "256.0.0.1",
                "[::1]",
                "fe80::1%7",
                "fe80::1%eth0",
                "1:2:3",
                "::1::",
                "12345::",
                "fe80:"
            })
    void whatIsNoAddressIsRefusedAndNobodyIsAsked(String text) {
        assertThatThrownBy(() -> Gid.parse(text))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("'" + text + "' is not an IPv4 or IPv6 address");
    }

    @Test
    void mappedAddressesAndNoOthersAreIpv4() {
        assertThat(Gid.parse("192.0.2.10").isIpv4()).isTrue();
        assertThat(Gid.parse("192.0.2.10").toInetAddress()).isInstanceOf(Inet4Address.class);
        assertThat(new Gid(1, 0xFFFF_C000_020AL).isIpv4()).isFalse();
        assertThat(new Gid(0, 0x1_FFFF_C000_020AL).isIpv4()).isFalse();
        assertThat(Gid.NONE.isIpv4()).isFalse();
        assertThat(Gid.NONE.toInetAddress()).isInstanceOf(Inet6Address.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.0.0", "239.255.255.255", "ff02::1", "ff00::", "ffff::1"})
    void groupsAreTold(String group) {
        assertThat(Gid.parse(group).isMulticast()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"223.255.255.255", "240.0.0.0", "fe80::1", "::", "::ff02", "feff::1"})
    void portsAreNotTakenForGroups(String port) {
        assertThat(Gid.parse(port).isMulticast()).isFalse();
    }

    @Test
    void anyGidSurvivesTextAndAddress() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100_000; i++) {
            // Sixteen-bit groups, zero as often as not, so that runs of zeros come up.
            long high = random.nextLong() & groups(random);
            long low = random.nextLong() & groups(random);
            Gid gid = new Gid(high, low);
            assertThat(Gid.of(gid.toInetAddress())).isEqualTo(gid);
            assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
        }
    }

    private static long groups(SplittableRandom random) {
        long mask = 0;
        for (int group = 0; group < 4; group++) {
            mask = mask << 16 | (random.nextBoolean() ? 0xFFFF : 0);
        }
        return mask;
    }
}
