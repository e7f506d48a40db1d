package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Requests in flight.
class SmpWindowTest {
    private final SmpWindow window = new SmpWindow(4);

    @Test
    void aPlaceThatIsUsedAgainHasAnotherTransactionId() {
        int place = window.begin(1, 100);
        int before = window.transaction(place);
        assertThat(window.find(before)).isEqualTo(place);
        window.end(place);
        assertThat(window.find(before)).isEqualTo(-1);

        assertThat(window.begin(2, 100)).isEqualTo(place);

        assertThat(window.find(before)).isEqualTo(-1);
        assertThat(window.find(window.transaction(place))).isEqualTo(place);
    }

    @Test
    void theUpperHalfOfATransactionIdBelongsToCarriers() {
        int place = window.begin(1, 100);

        assertThat(window.find(0x1234_5678_0000_0000L | window.transaction(place)))
                .isEqualTo(place);
    }

    @Test
    void aRequestThatWaitsToBeSentAgainHasNoDeadline() {
        int place = window.begin(1, 100);
        assertThat(window.nextDeadlineNs()).isEqualTo(100);
        assertThat(window.isDue(place, 100)).isTrue();

        window.hold(place);

        assertThat(window.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(window.isHeld(place)).isTrue();
        window.again(place, 300);
        assertThat(window.retries(place)).isOne();
        assertThat(window.isInFlight(place)).isTrue();
    }

    @Test
    void aFullWindowSaysSo() {
        for (int i = 0; i < 4; i++) {
            assertThat(window.isFull()).isFalse();
            window.begin(i, 1);
        }
        assertThat(window.isFull()).isTrue();
        window.clear();
        assertThat(window.isEmpty()).isTrue();
    }
}
