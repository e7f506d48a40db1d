package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long a simulated device takes until it sees a request.
class PostDelayTest {
    private static final long DELAY_NS = 700;

    private final Duo duo = new Duo(options -> options.postDelayNs(DELAY_NS), attributes -> {});

    @AfterEach
    void close() {
        duo.close();
    }

    @Test
    void nothingIsSentBeforeTheDeviceSeesTheRequest() {
        long postedNs = duo.pair.nowNs();
        duo.read(1, 8);

        duo.pair.runUntil(postedNs + DELAY_NS - 1);
        assertThat(duo.packets(Duo.LEFT)).isEmpty();

        duo.pair.runUntil(postedNs + DELAY_NS);
        assertThat(duo.packets(Duo.LEFT)).hasSize(1);
    }

    @Test
    void aRequestBehindOthersWaitsNoLonger() {
        long postedNs = duo.pair.nowNs();
        duo.read(1, 8);
        duo.pair.runUntil(postedNs + DELAY_NS - 1);
        duo.read(2, 8);

        duo.pair.runUntil(postedNs + DELAY_NS);
        assertThat(duo.packets(Duo.LEFT)).hasSize(2);
    }
}
