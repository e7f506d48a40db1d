package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.verbena.transport.carrier.CongestionSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The arithmetic of thresholds: what DCQCN's paper works out for its switch, and what comes first
/// in ours.
class ThresholdsTest {
    private static final int SENDERS = 8;
    private static final int XOFF = 100_000;
    private static final long STEP_PS = 20_000;

    /// 32 ports of 40 Gb/s, 12 MB, 8 priorities, 22.4 KB in flight after a pause.
    @Test
    void thePapersSwitchHasThePapersThresholds() {
        assertThat(Thresholds.fixedPause(12e6, 32, 8, 22.4e3)).isCloseTo(24.47e3, offset(10.0));
        // Less than a packet: with fixed thresholds marks cannot come first.
        assertThat(Thresholds.fixedPause(12e6, 32, 8, 22.4e3) / 32).isLessThan(1500);
        // Its beta is 8 times our alpha, because it divides by the priorities.
        assertThat(Thresholds.marksBefore(12e6, 32, 8, 22.4e3, 1)).isCloseTo(21.75e3, offset(10.0));
        assertThat(Marking.PUBLISHED.leastBytes())
                .isLessThan((int) Thresholds.marksBefore(12e6, 32, 8, 22.4e3, 1));
    }

    @ParameterizedTest
    @CsvSource({"1, 13421772", "2, 22369621", "32, 59652323"})
    void theDefaultBufferPausesFrom(int inputs, double expected) {
        BufferSettings buffer = FabricKind.Ethernet.DEFAULT.buffer();
        assertThat(Thresholds.pausesFrom(buffer, inputs)).isCloseTo(expected, offset(1.0));
        for (int gbits : new int[] {25, 100, 400, 800}) {
            assertThat(Marking.production(Rate.gbits(gbits)).mostBytes())
                    .as("all are marked before any pause, at %d Gb/s", gbits)
                    .isLessThan((int) expected);
        }
    }

    /// Eight senders fill one output; a threshold of marking a tenth below the pauses' marks first,
    /// one a tenth above pauses first.
    @ParameterizedTest
    @CsvSource({"0.9, true", "1.1, false"})
    void marksComeFirstExactlyWhenTheirThresholdIsBelow(double part, boolean marksFirst) {
        BufferSettings buffer = BufferSettings.fixed(XOFF, XOFF / 2, 1_000_000);
        int from = (int) (part * Thresholds.pausesFrom(buffer, SENDERS));
        FabricSettings settings =
                FabricSettings.ROCE.withKind(
                        FabricKind.Ethernet.DEFAULT
                                .withBuffer(buffer)
                                .withMarking(new Marking(from, from, 1)));
        CongestionSettings control = CongestionSettings.production(400_000_000_000L);
        Fabric fabric =
                new Incast(SENDERS, 0, settings, options -> options.congestion(control)).fabric();
        long marks = 0;
        long pauses = 0;
        for (long nowPs = STEP_PS; marks + pauses == 0; nowPs += STEP_PS) {
            fabric.run(nowPs);
            marks = fabric.congestion().marked();
            pauses = fabric.counts().pauses();
        }
        assertThat(marks > 0).as("%d marks, %d pauses", marks, pauses).isEqualTo(marksFirst);
        assertThat(pauses > 0).isEqualTo(!marksFirst);
    }
}
