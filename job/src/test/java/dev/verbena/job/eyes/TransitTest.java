package dev.verbena.job.eyes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.trace.Message;
import org.junit.jupiter.api.Test;

class TransitTest {
    private static final Message MESSAGE = new Message(0, 1, 0, 8192, 10_000, 13_000);
    private static final int[] WAY = {4, 6};

    @Test
    void latencyIsTakenOffAtBothEnds() {
        Transit transit = Transit.of(MESSAGE, WAY, 2000, 500);
        assertThat(transit.fromNs()).isEqualTo(11_000);
        assertThat(transit.untilNs()).isEqualTo(12_000);
    }

    @Test
    void bytesTakeTheirTime() {
        assertThat(Transit.of(MESSAGE, WAY, 2900, 500).tookNs()).isEqualTo(500);
    }
}
