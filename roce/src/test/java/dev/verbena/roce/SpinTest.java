package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("sockets")
class SpinTest {
    private static final long MOST_NS = 100_000;
    private static final long SHORT_NS = 150_000;
    private static final long SECOND_NS = 1_000_000_000L;

    private static Spin afterLongSleeps() {
        Spin spin = new Spin(MOST_NS);
        for (int i = 0; i < 20; i++) {
            spin.slept(SECOND_NS);
        }
        return spin;
    }

    @Test
    void itLastsAsLongAsAllowedAtFirst() {
        Spin spin = new Spin(MOST_NS);

        assertThat(spin.lasts(MOST_NS - 1)).isTrue();
        assertThat(spin.lasts(MOST_NS)).isFalse();
    }

    @Test
    void aDeviceWithoutTrafficDoesNotSpin() {
        assertThat(afterLongSleeps().lasts(0)).isFalse();
    }

    @Test
    void shortSleepsBringItBack() {
        Spin spin = afterLongSleeps();
        for (int i = 0; i < 10; i++) {
            spin.slept(SHORT_NS);
        }

        assertThat(spin.lasts(MOST_NS - 1)).isTrue();
        assertThat(spin.lasts(MOST_NS)).isFalse();
    }

    @Test
    void withNoTimeItNeverSpins() {
        Spin spin = new Spin(0);
        spin.slept(1);

        assertThat(spin.lasts(0)).isFalse();
    }
}
