package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerftestResultTest {
    private static PerfResult parse(
            long bytes, long messages, double peak, double average, double rate) {
        return PerftestResult.parse(
                new long[] {
                    bytes,
                    messages,
                    Double.doubleToLongBits(peak),
                    Double.doubleToLongBits(average),
                    Double.doubleToLongBits(rate)
                },
                "peer");
    }

    /// 1000 messages of 1 MiB a second, told in MiB/s and in Gb/s.
    @ParameterizedTest
    @CsvSource({"2000, 1000", "16.777216, 8.388608"})
    void theUnitOfThePeerDoesNotMatter(double peak, double average) {
        PerfResult result = parse(1 << 20, 5000, peak, average, 0.001);

        assertThat(result).isInstanceOf(PerfResult.Bandwidth.class);
        PerfResult.Bandwidth it = (PerfResult.Bandwidth) result;
        assertThat(it.bytes()).isEqualTo(1 << 20);
        assertThat(it.messages()).isEqualTo(5000);
        assertThat(it.rate()).isCloseTo(1000, within(1e-6));
        assertThat(it.average()).isCloseTo(1000.0 * (1 << 20), within(1.0));
        assertThat(it.peak()).isCloseTo(2000.0 * (1 << 20), within(1.0));
    }

    @Test
    void withoutAPeakThereIsNone() {
        assertThat(parse(8, 5, 0, 0, 0)).isEqualTo(new PerfResult.Bandwidth(8, 5, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5, 1, 1, 1",
        "-1, 5, 1, 1, 1",
        "4294967296, 5, 1, 1, 1",
        "8, -5, 1, 1, 1",
        "8, 5, NaN, 1, 1",
        "8, 5, 1, Infinity, 1",
        "8, 5, 1, 1, -1"
    })
    void nonsenseIsRefused(long bytes, long messages, double peak, double average, double rate) {
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> parse(bytes, messages, peak, average, rate))
                .withMessageContaining("peer: its result is not plausible");
    }
}
