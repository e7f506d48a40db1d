package dev.verbena.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The interval of a median.
class RatiosTest {
    private static double[] upTo(int count) {
        return IntStream.rangeClosed(1, count).mapToDouble(it -> count + 1 - it).toArray();
    }

    @Test
    void liesBetweenTheFourthAndTheTwelfthOfFifteen() {
        // The chance that the true median lies outside: 2 · (1 + 15 + 105 + 455) / 2^15 = 3.5 %.
        assertThat(Ratios.of(upTo(15))).isEqualTo(new Ratios(8, 4, 12));
    }

    @Test
    void liesBetweenTheEndsOfSixAndFewerHaveNone() {
        assertThat(Ratios.of(upTo(Ratios.LEAST))).isEqualTo(new Ratios(3.5, 1, 6));
        assertThat(Ratios.median(upTo(3))).isEqualTo(2);
        assertThatThrownBy(() -> Ratios.of(upTo(Ratios.LEAST - 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too few");
    }

    @Test
    void isWorseOnlyWhenAllOfItIs() {
        Ratios ratios = new Ratios(1.05, 1.02, 1.07);
        assertThat(ratios.isWorseThan(1.03)).isFalse();
        assertThat(ratios.isWorseThan(1.01)).isTrue();
    }
}
