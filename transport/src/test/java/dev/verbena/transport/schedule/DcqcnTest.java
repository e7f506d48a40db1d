package dev.verbena.transport.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.carrier.CongestionSettings;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// The rate after each event, by the equations of the paper.
class DcqcnTest {
    private static final long LINE = 40_000_000_000L;
    private static final long STEP_NS = 55_000;
    private static final CongestionSettings PUBLISHED = CongestionSettings.published(LINE);

    private final Dcqcn control = new Dcqcn(PUBLISHED, 0, 10_000);

    /// Lets time pass, without a byte sent.
    private void at(long nowNs) {
        control.resumed(nowNs);
    }

    @Test
    void aQueuePairBeginsAtTheRateOfTheLine() {
        assertThat(control.rate()).isEqualTo(LINE);
        at(1_000_000);
        assertThat(control.isLimited()).isFalse();
    }

    @Test
    void aNotificationCutsTheRateByHalfOfAlpha() {
        control.congested(0);
        assertThat(control.rate()).isEqualTo(LINE / 2.0);
        assertThat(control.target()).isEqualTo(LINE);
        assertThat(control.alpha()).isEqualTo(1);

        at(STEP_NS);
        double alpha = 255.0 / 256;
        assertThat(control.alpha()).isEqualTo(alpha);
        double rate = (LINE + LINE / 2.0) / 2;
        assertThat(control.rate()).isEqualTo(rate);

        control.congested(STEP_NS);
        assertThat(control.target()).isEqualTo(rate);
        assertThat(control.rate()).isEqualTo(rate * (1 - alpha / 2));
        assertThat(control.alpha()).isEqualTo((1 - 1.0 / 256) * alpha + 1.0 / 256);
    }

    @Test
    void alphaFallsWithEachPeriodWithoutANotification() {
        control.congested(0);
        double alpha = 1;
        for (int i = 1; i <= 30; i++) {
            at(i * STEP_NS);
            alpha *= 255.0 / 256;
            assertThat(control.alpha()).isEqualTo(alpha);
        }
    }

    @Test
    void theRateGoesHalfWayBackFiveTimesLessOneThenTheTargetRises() {
        control.congested(0);
        control.congested(0);
        double rate = LINE / 4.0;
        double target = LINE / 2.0;
        for (int i = 1; i <= 30; i++) {
            at(i * STEP_NS);
            target += i < 5 ? 0 : 40_000_000;
            rate = (rate + target) / 2;
            assertThat(control.target()).as("target after %d", i).isEqualTo(target);
            assertThat(control.rate()).as("rate after %d", i).isEqualTo(rate);
        }
    }

    @Test
    void bytesCountApartFromTimeAndBothTogetherRaiseTheTargetMore() {
        control.congested(0);
        control.congested(0);
        control.resumed(0);
        double rate = LINE / 4.0;
        double target = LINE / 2.0;
        int piece = 5_000_000;
        for (int i = 1; i <= 5; i++) {
            control.sent(0, piece);
            assertThat(control.rate()).isEqualTo(rate);
            control.sent(0, piece);
            target += i < 5 ? 0 : 40_000_000;
            rate = (rate + target) / 2;
            assertThat(control.rate()).as("rate after %d times 10 MB", i).isEqualTo(rate);
        }
        control.sent(0, 2 * piece);
        target += 40_000_000;
        rate = (rate + target) / 2;
        for (int i = 1; i <= 8; i++) {
            at(i * STEP_NS);
            target += i <= 5 ? 40_000_000 : 200_000_000;
            rate = (rate + target) / 2;
            assertThat(control.target()).as("target after %d", i).isEqualTo(target);
        }
        assertThat(control.rate()).isEqualTo(rate);
    }

    @Test
    void itIsFreeAgainAtTheRateOfTheLine() {
        control.congested(0);
        at(40 * STEP_NS);
        assertThat(control.rate()).isEqualTo(LINE);
        assertThat(control.isLimited()).isFalse();
        at(1L << 50); // at once, whatever the time
    }

    @Test
    void noNotificationsBringItBelowTheLeastRate() {
        for (int i = 0; i < 100; i++) {
            control.congested(i);
        }
        assertThat(control.rate()).isEqualTo(1_000_000);
    }

    @Test
    void packetsLeaveAtTheRate() {
        control.congested(0);
        control.resumed(0);
        long nowNs = 0;
        for (int i = 0; i < 10; i++) {
            nowNs = control.earliestNs(nowNs);
            control.sent(nowNs, 1000);
        }
        // 8,000 bits at 20 Gb/s are 400 ns.
        assertThat(control.earliestNs(nowNs)).isEqualTo(4_000);
    }

    @Test
    void theLimitOfAQueuePairIsItsLine() {
        Dcqcn limited = new Dcqcn(PUBLISHED, 1_000_000_000, 10_000);
        assertThat(limited.rate()).isEqualTo(1e9);
        limited.congested(0);
        limited.resumed(400 * STEP_NS);
        assertThat(limited.rate()).isEqualTo(1e9);
    }

    @Test
    void aCutLeavesItsConfiguredPart() {
        Dcqcn careful = new Dcqcn(PUBLISHED.with("rp_min_dec_fac", 80), 0, 10_000);
        careful.congested(0);
        assertThat(careful.rate()).isEqualTo(LINE * 0.8);
    }

    /// With the timer alone: four steps of fast recovery, then one of 40 Mb/s each 55 us, and some
    /// halves of the last one.
    @Test
    void theWayBackFromHalfOfTheLineTakesTwentySevenMilliseconds() {
        control.congested(0);
        control.congested(0);
        // The second cut sets the target to LINE / 2, so that is where fast recovery ends.
        double expectedNs = (4 + LINE / 2.0 / 40e6) * STEP_NS;
        assertThat(expectedNs).isEqualTo(27_720_000);
        long nowNs = 0;
        while (control.rate() < 0.999 * LINE) {
            nowNs += STEP_NS;
            at(nowNs);
        }
        assertThat((double) nowNs).isBetween(0.98 * expectedNs, 1.02 * expectedNs);
    }

    /// What is made up for later is what a model does that looks at every microsecond.
    @Test
    void stepsAppliedLateEqualStepsAppliedInTime() {
        RandomGenerator random = Seed.forTest("DcqcnTest", 1).random();
        for (int round = 0; round < 50; round++) {
            CongestionSettings settings =
                    round % 2 == 0 ? PUBLISHED : CongestionSettings.adapter(LINE);
            Dcqcn lazy = new Dcqcn(settings, 0, 10_000);
            EveryMicrosecond eager = new EveryMicrosecond(settings);
            long nowNs = 0;
            for (int i = 0; i < 400; i++) {
                nowNs += random.nextInt(200) * 1_000L;
                eager.until(nowNs);
                if (random.nextInt(8) == 0) {
                    lazy.congested(nowNs);
                    eager.congested(nowNs);
                } else if (random.nextInt(3) > 0) {
                    int length = random.nextInt(1 << 20);
                    lazy.resumed(nowNs);
                    lazy.sent(nowNs, length);
                    eager.sent(length);
                } else {
                    lazy.resumed(nowNs);
                }
                assertThat(lazy.rate()).as("rate at %d ns", nowNs).isEqualTo(eager.rate);
                assertThat(lazy.alpha()).as("alpha at %d ns", nowNs).isEqualTo(eager.alpha);
            }
        }
    }

    @Test
    void parametersHaveTheNamesOfOperators() {
        assertThat(PUBLISHED.byName())
                .containsEntry("rp_max_rate", 40_000L)
                .containsEntry("rp_ai_rate", 40L)
                .containsEntry("rp_dce_tcp_g", 1020L)
                .containsEntry("np_min_time_between_cnps", 50L);
        assertThat(PUBLISHED.alpha().g()).isEqualTo(1.0 / 256);
        assertThat(CongestionSettings.production(LINE).with("rp_ai_rate", 7).rise().step())
                .isEqualTo(7_000_000);
        assertThatThrownBy(() -> PUBLISHED.with("rp_speed", 1))
                .hasMessageContaining("rp_speed")
                .hasMessageContaining("rp_ai_rate");
        assertThatThrownBy(() -> PUBLISHED.with("np_cnp_dscp", 64)).hasMessageContaining("0 to 63");
    }

    /// The equations, with every timer looked at in each microsecond.
    private static final class EveryMicrosecond {
        private final CongestionSettings settings;
        private double rate = LINE;
        private double target = LINE;
        private double alpha;
        private boolean isLimited;
        private boolean isNotified;
        private boolean isCutDue;
        private long nowNs;
        private long sinceAlphaNs;
        private long sinceRiseNs;
        private long sinceCutNs;
        private long bytes;
        private int times;
        private int counts;

        EveryMicrosecond(CongestionSettings settings) {
            this.settings = settings;
        }

        void until(long endNs) {
            while (nowNs < endNs) {
                nowNs += 1_000;
                sinceAlphaNs += 1_000;
                sinceRiseNs += 1_000;
                sinceCutNs += 1_000;
                if (isLimited && sinceAlphaNs == settings.alpha().everyNs()) {
                    sinceAlphaNs = 0;
                    double g = settings.alpha().g();
                    alpha = (1 - g) * alpha + (isNotified ? g : 0);
                    isNotified = false;
                }
                if (isCutDue && sinceCutNs >= settings.cut().everyNs()) {
                    cut();
                }
                if (isLimited && sinceRiseNs == settings.rise().everyNs()) {
                    sinceRiseNs = 0;
                    times++;
                    rise();
                }
            }
        }

        void sent(int length) {
            bytes += length;
            while (isLimited && bytes >= settings.rise().everyBytes()) {
                bytes -= settings.rise().everyBytes();
                counts++;
                rise();
            }
        }

        void congested(long atNs) {
            assertThat(atNs).isEqualTo(nowNs);
            if (!isLimited) {
                isLimited = true;
                alpha = settings.alpha().first();
                isNotified = false;
                sinceAlphaNs = 0;
                cut();
            } else if (settings.cut().everyNs() == 0) {
                cut();
            } else {
                isNotified = true;
                isCutDue = true;
                if (sinceCutNs >= settings.cut().everyNs()) {
                    cut();
                }
            }
        }

        private void cut() {
            if (settings.cut().clamps() || times + counts > 0) {
                target = rate;
            }
            rate *= Math.max(1 - alpha / 2, settings.cut().leastPart());
            rate = Math.max(rate, (double) settings.cut().minRate());
            if (settings.cut().everyNs() == 0) {
                alpha = (1 - settings.alpha().g()) * alpha + settings.alpha().g();
                sinceAlphaNs = 0;
            }
            isCutDue = false;
            sinceRiseNs = 0;
            sinceCutNs = 0;
            bytes = 0;
            times = 0;
            counts = 0;
        }

        private void rise() {
            CongestionSettings.Rise how = settings.rise();
            if (times > how.stages() && counts > how.stages()) {
                target += how.hyperStep();
            } else if (times >= how.stages() || counts >= how.stages()) {
                target += how.step();
            }
            target = Math.min(target, (double) LINE);
            rate = (rate + target) / 2;
            if (LINE - rate < 1) {
                rate = LINE;
                isLimited = false;
                isCutDue = false;
            }
        }
    }
}
