package dev.verbena.transport.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerWindowTest {
    private static final long TIMEOUT_NS = 67_000_000;

    private final PeerWindow window = new PeerWindow(RateControl.UNLIMITED, 100);

    private void acknowledge(int packets) {
        for (int i = 0; i < packets; i++) {
            window.acknowledged(0, 1, false);
        }
    }

    @Test
    void aLossHalvesTheWindowDownToTwoPackets() {
        assertThat(window.windowPackets()).isEqualTo(100);
        window.lost(0);
        assertThat(window.windowPackets()).isEqualTo(50);
        for (int i = 0; i < 10; i++) {
            acknowledge(1);
            window.lost(0);
        }
        assertThat(window.windowPackets()).isEqualTo(2);
    }

    @Test
    void aPeerThatIsAwayForAWhileIsNotASlowOne() {
        for (int i = 0; i < 7; i++) {
            window.lost(0);
        }
        assertThat(window.windowPackets()).isEqualTo(50);
    }

    @Test
    void anAcknowledgementOfSeveralWindowsCountsForAllOfThem() {
        window.lost(0);
        window.acknowledged(0, 50 + 51 + 52, false);
        assertThat(window.windowPackets()).isEqualTo(53);
    }

    @Test
    void itGrowsByAPacketAWindowFarBelowTheLastLossAndSlowlyNearIt() {
        window.lost(0);
        acknowledge(49);
        assertThat(window.windowPackets()).isEqualTo(50);
        acknowledge(1);
        assertThat(window.windowPackets()).isEqualTo(51);
        while (window.windowPackets() < 75) {
            acknowledge(1);
        }
        acknowledge(16 * 75 - 1);
        assertThat(window.windowPackets()).isEqualTo(75);
        acknowledge(1);
        assertThat(window.windowPackets()).isEqualTo(76);
    }

    @Test
    void itNeverGrowsBeyondWhatTheDeviceAllows() {
        window.lost(0);
        acknowledge(1_000_000);
        assertThat(window.windowPackets()).isEqualTo(100);
        window.acknowledged(0, 1_000_000, false);
        assertThat(window.windowPackets()).isEqualTo(100);
    }

    @Test
    void theRateBesideItIsKept() {
        Pacer pacer = new Pacer(1_000_000_000, 0);
        PeerWindow paced = new PeerWindow(pacer, 100);
        paced.resumed(0);
        paced.sent(0, 1000);
        assertThat(paced.earliestNs(0)).isEqualTo(pacer.earliestNs(0)).isPositive();
    }

    @Test
    void withoutARoundTripItWaitsAsLongAsTheQueuePair() {
        assertThat(window.patienceNs(0, TIMEOUT_NS)).isEqualTo(TIMEOUT_NS);
        assertThat(window.morePatienceNs(TIMEOUT_NS)).isZero();
    }

    @Test
    void itWaitsForARoundTripAndFourDeviationsAndThenTwiceAsLong() {
        window.asked(0, 5);
        window.acknowledged(1_000_000, 3, false);
        window.acknowledged(2_000_000, 2, false);
        // The first round trip: 2 ms, of which half counts as its deviation.
        assertThat(window.patienceNs(0, TIMEOUT_NS)).isEqualTo(6_000_000);
        assertThat(window.morePatienceNs(6_000_000)).isEqualTo(12_000_000);
        assertThat(window.morePatienceNs(18_000_000)).isEqualTo(24_000_000);
        assertThat(window.morePatienceNs(42_000_000)).isEqualTo(25_000_000);
        assertThat(window.morePatienceNs(67_000_000)).isZero();
    }

    @Test
    void aRoundTripWithARepetitionIsNotMeasured() {
        window.asked(0, 1);
        window.wentBack();
        window.acknowledged(2_000_000, 1, false);
        assertThat(window.patienceNs(0, TIMEOUT_NS)).isEqualTo(TIMEOUT_NS);
    }

    @Test
    void shortRoundTripsDoNotMakeItImpatient() {
        for (int i = 0; i < 100; i++) {
            window.asked(i * 100L, 1);
            window.acknowledged(i * 100L + 50, 1, false);
        }
        assertThat(window.patienceNs(0, TIMEOUT_NS)).isEqualTo(PeerWindow.LEAST_PATIENCE_NS);
    }
}
