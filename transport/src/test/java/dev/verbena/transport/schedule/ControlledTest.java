package dev.verbena.transport.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.control.CongestionControl;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The events that a controller receives.
class ControlledTest {
    private static final int MTU = 1024;

    private final List<String> told = new ArrayList<>();
    private long timerNs = Long.MAX_VALUE;
    private long periodNs = 100;
    private long window = 10 * MTU;

    private final Controlled controlled =
            new Controlled(
                    new CongestionControl() {
                        @Override
                        public void sent(long nowNs, int bytes) {
                            told.add(nowNs + " sent " + bytes);
                        }

                        @Override
                        public void acknowledged(
                                long nowNs, int bytes, long roundTripNs, boolean isMarked) {
                            told.add(nowNs + " got " + bytes + " after " + roundTripNs + isMarked);
                        }

                        @Override
                        public void lost(long nowNs) {
                            told.add(nowNs + " lost");
                        }

                        @Override
                        public void notified(long nowNs) {
                            told.add(nowNs + " notified");
                        }

                        @Override
                        public long timerNs() {
                            return timerNs;
                        }

                        @Override
                        public void timer(long nowNs) {
                            told.add(nowNs + " timer");
                            timerNs += periodNs;
                        }

                        @Override
                        public long windowBytes() {
                            return window;
                        }
                    },
                    MTU);

    @Test
    void aRoundTripLastsFromThePacketThatAskedToTheAcknowledgementThatCoversIt() {
        for (int i = 0; i < 4; i++) {
            controlled.sent(i, MTU);
        }
        controlled.asked(3, 4);
        controlled.sent(5, MTU);
        told.clear();

        controlled.acknowledged(40, 3, false);
        controlled.acknowledged(50, 1, true);
        controlled.acknowledged(60, 1, false);
        assertThat(told)
                .containsExactly(
                        "40 got 3072 after 0false",
                        "50 got 1024 after 47true",
                        "60 got 1024 after 0false");
    }

    @Test
    void theLastOfSeveralThatAskedCounts() {
        controlled.sent(1, MTU);
        controlled.asked(1, 1);
        controlled.sent(2, MTU);
        controlled.asked(2, 2);
        told.clear();

        controlled.acknowledged(10, 2, false);
        assertThat(told).containsExactly("10 got 2048 after 8false");
    }

    @Test
    void nothingIsMeasuredAcrossARepetition() {
        controlled.sent(1, MTU);
        controlled.asked(1, 1);
        controlled.lost(20);
        controlled.wentBack();
        controlled.sent(21, MTU);
        told.clear();

        controlled.acknowledged(30, 1, false);
        assertThat(told).containsExactly("30 got 1024 after 0false");
    }

    @Test
    void noMoreBytesAreAcknowledgedThanHaveLeft() {
        controlled.sent(1, 100);
        told.clear();
        controlled.acknowledged(2, 1, false);
        assertThat(told).containsExactly("2 got 100 after 0false");
    }

    @Test
    void timersThatWereDueAreMadeUpForInOrderBeforeTheNextEvent() {
        timerNs = 100;
        controlled.congested(350);

        assertThat(told).containsExactly("100 timer", "200 timer", "300 timer", "350 notified");
    }

    @Test
    void aTimerThatDoesNotMoveOnIsRefused() {
        timerNs = 100;
        periodNs = 0;
        assertThatThrownBy(() -> controlled.lost(200))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("timerNs must be later");
    }

    @Test
    void onePacketMayAlwaysBeUnderWay() {
        window = 10 * MTU + 500;
        assertThat(controlled.windowPackets()).isEqualTo(10);
        window = 0;
        assertThat(controlled.windowPackets()).isEqualTo(1);
        window = Long.MAX_VALUE;
        assertThat(controlled.windowPackets()).isEqualTo(Integer.MAX_VALUE);
    }
}
