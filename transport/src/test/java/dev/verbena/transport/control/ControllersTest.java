package dev.verbena.transport.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// The rules of the controllers, event by event, at 100 Gb/s with 10 us there and back: 125,000
/// bytes are one round trip of the line.
class ControllersTest {
    private static final int MTU = 4096;
    private static final ControlFacts LINE = new ControlFacts(100_000_000_000L, MTU, 10_000);
    private static final double PRODUCT = 125_000;

    private final Swift swift = new Swift(LINE, new SwiftProvider().parameters());
    private final Nscc nscc = new Nscc(LINE, new NsccProvider().parameters());

    @Test
    void swiftGrowsByOnePacketInARoundTripBelowTheTarget() {
        double before = swift.window();
        swift.acknowledged(10_000, (int) (before * MTU), 10_000, false);

        assertThat(swift.window()).isCloseTo(before + 1, within(0.01));
    }

    @Test
    void swiftFallsByThePartOfTheDelayThatIsTooMuchOnceInARoundTrip() {
        double before = swift.window();
        double targetNs = swift.targetNs();
        long delayNs = Math.round(targetNs * 1.5);
        swift.acknowledged(50_000, MTU, delayNs, false);
        double expected = before * (1 - 0.8 * (delayNs - targetNs) / delayNs);
        assertThat(swift.window()).isCloseTo(expected, within(1e-9));

        swift.acknowledged(50_000 + delayNs - 1, MTU, delayNs, false);
        assertThat(swift.window()).as("within a round trip").isCloseTo(expected, within(1e-9));
        swift.acknowledged(50_000 + delayNs, MTU, delayNs, false);
        assertThat(swift.window()).as("after it").isLessThan(expected);
    }

    @Test
    void swiftAllowsSmallWindowsMoreDelay() {
        double wideNs = swift.targetNs();
        for (int i = 1; i < 40; i++) {
            swift.lost(i * 100_000L);
        }

        assertThat(swift.window()).isLessThan(0.1);
        assertThat(swift.targetNs()).isCloseTo((1.25 + 2) * 10_000, within(1.0));
        assertThat(wideNs).isBetween(12_500.0, 15_000.0);
    }

    @Test
    void swiftPausesBetweenPacketsWhenTheWindowIsLessThanOne() {
        assertThat(swift.earliestNs()).isEqualTo(Long.MIN_VALUE);
        for (int i = 1; i < 40; i++) {
            swift.lost(i * 100_000L);
        }
        swift.sent(10_000_000, MTU);

        assertThat(swift.windowBytes()).isEqualTo(MTU);
        assertThat(swift.earliestNs())
                .isCloseTo(10_000_000 + (long) (10_000 / swift.window()), within(1L));
    }

    @Test
    void nsccBeginsWithOneAndAHalfRoundTripsOfTheLine() {
        assertThat(nscc.window()).isCloseTo(1.5 * PRODUCT, within(1e-6));
    }

    @Test
    void nsccKeepsItsWindowWhenMarksComeWithoutDelay() {
        nscc.sent(0, MTU);
        shrink();
        double before = nscc.window();
        nscc.acknowledged(2_000_000, MTU, 10_000 + 100, true);

        assertThat(nscc.window()).isCloseTo(before, within(0.2 * MTU));
    }

    @Test
    void nsccFallsByAtMostHalfOnceInARoundTripWithMarksAndDelay() {
        nscc.sent(0, MTU);
        double before = nscc.window();
        shrink();

        assertThat(nscc.window()).isBetween(before / 2 * 0.95, before * 0.9);
        assertThat(nscc.averageNs()).isGreaterThan(10_000);
    }

    /// Marks with two targets of delay until the average is above one, and one cut.
    private void shrink() {
        double before = nscc.window();
        for (int i = 0; nscc.window() > before * 0.9; i++) {
            assertThat(i).isLessThan(1_000);
            nscc.acknowledged(10_000 + i * 100L, 64, 30_000, true);
        }
    }

    @Test
    void nsccGrowsByTheDistanceFromTheTargetWithoutMarks() {
        nscc.sent(0, MTU);
        shrink();
        double before = nscc.window();
        // One window of bytes at half of the target, in the steps that increases are applied in.
        double scale = PRODUCT / 150_000;
        double targets = 10_000 / 12_000.0;
        double perWindow = 4 * MTU * scale * targets / 2;
        int steps = (int) (before / (8 * MTU));
        long nowNs = 3_000_000;
        nscc.acknowledged(nowNs, 8 * MTU, 0, false);
        double start = nscc.window();
        for (int i = 1; i <= steps; i++) {
            nscc.acknowledged(nowNs + i, 8 * MTU, 15_000, false);
        }

        assertThat(nscc.window() - start)
                .isCloseTo(perWindow * steps * 8 * MTU / before, within(0.15 * perWindow));
    }

    @Test
    void nsccTakesWhatArrivedForItsWindowWhenThereIsLossAndLittleArrives() {
        nscc.sent(0, MTU);
        nscc.lost(5_000);
        nscc.acknowledged(30_000, 2 * MTU, 25_000, true);

        assertThat(nscc.window()).isCloseTo(2 * MTU, within(0.5 * MTU));
    }

    @Test
    void parametersChangeTheRules() {
        Nscc wide = new Nscc(LINE, with(new NsccProvider(), "window", 3));
        assertThat(wide.window()).isCloseTo(3 * PRODUCT, within(1e-6));
        Swift patient = new Swift(LINE, with(new SwiftProvider(), "base", 5));
        assertThat(patient.targetNs()).isGreaterThan(50_000);
    }

    private static Map<String, Double> with(ControlProvider of, String name, double value) {
        return ControlChoice.of(of, LINE, Map.of(name, value)).parameters();
    }
}
