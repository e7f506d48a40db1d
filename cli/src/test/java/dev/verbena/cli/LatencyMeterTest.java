package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("command")
class LatencyMeterTest {
    /// The histogram keeps four digits.
    private static final Offset<Double> KEPT = within(0.2);

    private static LatencyMeter meter(boolean isRoundTrip) {
        LatencyMeter meter = new LatencyMeter(isRoundTrip);
        meter.begin(3);
        for (int us = 1000; us >= 1; us--) {
            meter.record(us * 1000L);
        }
        return meter;
    }

    @Test
    void aPercentileIsTheTimeThatAsManyInAHundredReach() {
        PerfResult.Latency result = meter(true).result(8, 2_000_000_000L, 0);

        assertThat(result.messages()).isEqualTo(1000);
        assertThat(result.min()).isCloseTo(1, KEPT);
        assertThat(result.typical()).isCloseTo(500, KEPT);
        assertThat(result.average()).isCloseTo(500.5, KEPT);
        assertThat(result.percentile99()).isCloseTo(990, KEPT);
        assertThat(result.percentile999()).isCloseTo(999, KEPT);
        assertThat(result.max()).isCloseTo(1000, KEPT);
        assertThat(result.perSecond()).isEqualTo(500);
    }

    @Test
    void oneWayIsHalfOfARoundTrip() {
        PerfResult.Latency result = meter(false).result(8, 2_000_000_000L, 0);

        assertThat(result.typical()).isCloseTo(250, KEPT);
        assertThat(result.percentile99()).isCloseTo(495, KEPT);
        assertThat(result.max()).isCloseTo(500, KEPT);
    }

    @Test
    void theFirstValuesAreKeptInTheirOrderAndSorted() {
        assertThat(meter(true).unsorted()).containsExactly(1000, 999, 998);
        assertThat(meter(true).sorted()).containsExactly(998, 999, 1000);
    }
}
