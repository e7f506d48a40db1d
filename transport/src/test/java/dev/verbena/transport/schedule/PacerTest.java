package dev.verbena.transport.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacerTest {
    private static final long GBIT = 1_000_000_000L;

    @Test
    void fractionsOfANanosecondAddUp() {
        Pacer pacer = new Pacer(400 * GBIT, 1000);
        pacer.resumed(0);
        for (int i = 0; i < 100; i++) {
            pacer.sent(0, 64);
        }
        // 64 bytes at 400 Gb/s take 1.28 ns.
        assertThat(pacer.earliestNs(0)).isEqualTo(128);
    }

    @Test
    void anotherRateHoldsAtOnceAlsoForTheRestOfTheLastPacket() {
        Pacer pacer = new Pacer(8 * GBIT, 1000);
        pacer.resumed(0);
        pacer.sent(0, 100);
        assertThat(pacer.earliestNs(0)).isEqualTo(100);
        pacer.rate(16 * GBIT, 40);
        assertThat(pacer.earliestNs(40)).isEqualTo(40 + 30);
        pacer.rate(4 * GBIT, 50);
        assertThat(pacer.earliestNs(50)).isEqualTo(50 + 80);
        pacer.rate(16 * GBIT, 130);
        pacer.sent(130, 100);
        assertThat(pacer.earliestNs(130)).isEqualTo(130 + 50);
    }

    @Test
    void theSameRateKeepsTheFraction() {
        Pacer pacer = new Pacer(16 * GBIT, 1000);
        pacer.resumed(0);
        pacer.sent(0, 1);
        pacer.rate(16 * GBIT, 0);
        pacer.sent(0, 1);
        assertThat(pacer.earliestNs(0)).isEqualTo(1);
    }

    @Test
    void anotherRateAndABreakForgetTheFraction() {
        Pacer pacer = new Pacer(16 * GBIT, 1000);
        pacer.resumed(0);
        pacer.sent(0, 1);
        pacer.rate(8 * GBIT, 0);
        pacer.rate(16 * GBIT, 0);
        pacer.sent(0, 1);
        assertThat(pacer.earliestNs(0)).isZero();
        pacer.resumed(10);
        pacer.sent(10, 1);
        assertThat(pacer.earliestNs(0)).isEqualTo(10);
    }

    @Test
    void aBreakSavesNothingUpAndAnEarlyCallChangesNothing() {
        Pacer pacer = new Pacer(8 * GBIT, 1000);
        pacer.resumed(500);
        assertThat(pacer.earliestNs(0)).isEqualTo(500);
        pacer.sent(500, 100);
        pacer.resumed(550);
        assertThat(pacer.earliestNs(0)).isEqualTo(600);
        pacer.resumed(700);
        assertThat(pacer.earliestNs(0)).isEqualTo(700);
    }

    @Test
    void aLateCarrierCatchesUpAsFarAsItMay() {
        Pacer late = new Pacer(8 * GBIT, 1000);
        late.resumed(0);
        late.sent(1000, 100);
        assertThat(late.earliestNs(0)).isEqualTo(100);

        Pacer tooLate = new Pacer(8 * GBIT, 1000);
        tooLate.resumed(0);
        tooLate.sent(5000, 100);
        assertThat(tooLate.earliestNs(0)).isEqualTo(4100);
    }
}
