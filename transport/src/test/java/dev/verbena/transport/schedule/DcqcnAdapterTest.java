package dev.verbena.transport.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.verbena.transport.carrier.CongestionSettings;
import org.junit.jupiter.api.Test;

/// The parameters that adapters have and the paper does not: target, periods, the first rate.
class DcqcnAdapterTest {
    private static final long LINE = 400_000_000_000L;
    private static final long PERIOD_NS = 4_000;
    private static final long RISE_NS = 300_000;
    private static final CongestionSettings TIMER_ONLY =
            CongestionSettings.adapter(LINE).with("rp_byte_reset", 0);

    private static Dcqcn of(CongestionSettings settings) {
        return new Dcqcn(settings, 0, 10_000);
    }

    /// So many notifications, each a period after the one before; returns the time of the last.
    private static long notify(Dcqcn control, long fromNs, int times) {
        for (int i = 0; i < times; i++) {
            control.congested(fromNs + i * PERIOD_NS);
        }
        return fromNs + (times - 1) * PERIOD_NS;
    }

    @Test
    void aRowOfCutsKeepsTheTargetOfTheFirst() {
        Dcqcn control = of(TIMER_ONLY);
        long lastNs = notify(control, 0, 200);
        assertThat(control.rate()).isEqualTo(1e6);
        assertThat(control.target()).isEqualTo(LINE);
        control.resumed(lastNs + RISE_NS);
        assertThat(control.rate()).isEqualTo((LINE + 1e6) / 2);
    }

    @Test
    void theFirstCutAfterAnIncreaseMovesTheTarget() {
        Dcqcn control = of(TIMER_ONLY);
        long lastNs = notify(control, 0, 200) + RISE_NS;
        control.congested(lastNs);
        assertThat(control.target()).isEqualTo((LINE + 1e6) / 2);
        control.congested(lastNs + PERIOD_NS);
        assertThat(control.target()).isEqualTo((LINE + 1e6) / 2);
    }

    @Test
    void clampedTargetsFollowEveryCut() {
        Dcqcn control = of(TIMER_ONLY.with("rp_clamp_tgt_rate", 1));
        control.congested(0);
        double once = control.rate();
        control.congested(PERIOD_NS);
        assertThat(control.target()).isEqualTo(once);
    }

    @Test
    void anIncreaseByTheTimerMovesTheTargetOnlyIfItIsSetTo() {
        CongestionSettings settings =
                CongestionSettings.adapter(LINE)
                        .with("rp_byte_reset", 1_000_000)
                        .with("rp_clamp_tgt_rate_ati", 0);
        Dcqcn control = of(settings);
        control.congested(0);
        control.congested(RISE_NS);
        assertThat(control.target()).as("raised by the timer").isEqualTo(LINE);
        control.resumed(RISE_NS);
        control.sent(RISE_NS, 1_000_000);
        double raised = control.rate();
        control.congested(RISE_NS + PERIOD_NS);
        assertThat(control.target()).as("raised by bytes").isEqualTo(raised);
    }

    /// With every cut clamped the way back is 80,000 steps of 5 Mb/s, 24 s; else it is halves of
    /// the distance: 12 of them to 99.97 %.
    @Test
    void theWayBackFromTheLeastRateIsShortBecauseTheTargetStays() {
        Dcqcn kept = of(TIMER_ONLY);
        Dcqcn clamped = of(TIMER_ONLY.with("rp_clamp_tgt_rate", 1).with("rp_hai_rate", 5));
        long lastNs = notify(kept, 0, 200);
        notify(clamped, 0, 200);
        kept.resumed(lastNs + 12 * RISE_NS);
        clamped.resumed(lastNs + 12 * RISE_NS);
        assertThat(kept.rate() / LINE).isCloseTo(1 - 1.0 / 4096, offset(1e-4));
        assertThat(clamped.rate()).isLessThan(13 * 5e6);
        assertThat(LINE / 5e6 * RISE_NS / 1e9).isEqualTo(24);
    }

    @Test
    void aNotificationWithinThePeriodCutsAtItsEnd() {
        Dcqcn control = of(TIMER_ONLY.with("rp_min_dec_fac", 80));
        control.congested(0);
        assertThat(control.rate()).isEqualTo(LINE * 0.8);
        control.congested(1_000);
        control.congested(3_999);
        assertThat(control.rate()).isEqualTo(LINE * 0.8);
        control.resumed(PERIOD_NS);
        assertThat(control.rate()).isEqualTo(LINE * 0.8 * 0.8);
        control.resumed(3 * PERIOD_NS);
        assertThat(control.rate()).as("both were one").isEqualTo(LINE * 0.8 * 0.8);
    }

    /// One of four periods of 1 us has a notification: alpha settles at a quarter, although it
    /// began at 1.
    @Test
    void alphaIsTheShareOfPeriodsWithANotification() {
        Dcqcn control = of(TIMER_ONLY);
        notify(control, 500, 1000);
        double g = 5.0 / 1024;
        double afterRise = g / (1 - Math.pow(1 - g, 4));
        assertThat(control.alpha()).isBetween(afterRise * Math.pow(1 - g, 3), afterRise);
        assertThat(control.alpha()).isCloseTo(0.25, offset(0.005));
    }

    @Test
    void theFirstNotificationMaySetARate() {
        Dcqcn control = of(TIMER_ONLY.with("rp_rate_to_set_on_first_cnp", 100_000));
        control.congested(0);
        assertThat(control.target()).isEqualTo(100e9);
        assertThat(control.rate()).isEqualTo(50e9);
        notify(control, PERIOD_NS, 3);
        assertThat(control.target()).as("the first only").isEqualTo(100e9);
    }

    @Test
    void thePartOfAlphaThatIsCutIsAPowerOfTwo() {
        Dcqcn control = of(TIMER_ONLY.with("rp_gd", 12));
        control.congested(0);
        assertThat(control.rate()).isEqualTo(LINE * 0.75);
        assertThat(TIMER_ONLY.with("rp_gd", 12).byName()).containsEntry("rp_gd", 12L);
    }

    /// A packet that was sent at 1 Mb/s takes 33 ms; an increase after 300 us must not wait for it.
    @Test
    void aPacketOfASlowTimeDoesNotHoldUpAFasterOne() {
        Dcqcn control = of(TIMER_ONLY);
        long lastNs = notify(control, 0, 200);
        control.resumed(lastNs);
        control.sent(lastNs, 4096);
        long nextNs = control.earliestNs(lastNs);
        assertThat(nextNs).as("looks again at the increase").isEqualTo(lastNs + RISE_NS);
        // 32.5 ms are left at 1 Mb/s, so 162 ns at half of the line.
        assertThat(control.earliestNs(nextNs)).isBetween(nextNs, nextNs + 200);
    }

    @Test
    void withoutAByteCounterTheTimerAloneBringsTheLargeSteps() {
        Dcqcn control = of(TIMER_ONLY.with("rp_clamp_tgt_rate", 1));
        long lastNs = notify(control, 0, 200);
        control.resumed(lastNs + RISE_NS);
        double one = control.target();
        control.resumed(lastNs + 2 * RISE_NS);
        assertThat(control.target() - one).isEqualTo(50e6);
    }

    @Test
    void presetsSayWhatTheyAreFor() {
        assertThat(CongestionSettings.adapter(LINE).byName())
                .containsEntry("rp_ai_rate", 5L)
                .containsEntry("rp_clamp_tgt_rate", 0L)
                .containsEntry("rp_clamp_tgt_rate_ati", 1L);
        assertThat(CongestionSettings.production(LINE).byName())
                .containsEntry("rp_ai_rate", 80L)
                .containsEntry("rp_hai_rate", 800L)
                .containsEntry("rp_byte_reset", 0L)
                .containsEntry("rp_min_rate", 100L);
        assertThat(CongestionSettings.production(100_000_000_000L).byName())
                .containsEntry("rp_ai_rate", 20L);
        assertThatThrownBy(() -> TIMER_ONLY.with("rp_clamp_tgt_rate", 2))
                .hasMessageContaining("use 0 or 1");
        assertThatThrownBy(() -> TIMER_ONLY.with("np_cnp_moderation", 0))
                .hasMessageContaining("use 1 or 2");
    }
}
