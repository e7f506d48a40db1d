package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkTest {
    @ParameterizedTest
    @CsvSource({"576, 256", "1500, 1024", "4191, 2048", "4192, 4096", "9000, 4096", "65536, 4096"})
    void mtuIsTheLargestOfInfiniBandThatFits(int ethernet, int roce) {
        assertThat(Link.roceMtu(ethernet)).isEqualTo(roce);
    }

    @Test
    void allOfTheLoopbackNetworkIsOurs() {
        assertThat(Link.of(Gid.parse("127.45.6.7"))).isEqualTo(new Link(1, 0, 4096));
    }

    @Test
    void addressOfAnotherMachineIsRefused() {
        // From the range for documentation, which no host uses.
        assertThatThrownBy(() -> Link.of(Gid.parse("192.0.2.77")))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("192.0.2.77")
                .hasMessageContaining("ip address");
    }
}
