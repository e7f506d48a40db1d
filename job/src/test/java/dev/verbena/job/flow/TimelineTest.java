package dev.verbena.job.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimelineTest {
    @Test
    void whatComesFirstIsTakenFirst() {
        SplittableRandom random = new SplittableRandom(7);
        Timeline timeline = new Timeline();
        PriorityQueue<Long> expected = new PriorityQueue<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(3) > 0 || expected.isEmpty()) {
                long timePs = random.nextLong(1000);
                timeline.add(timePs, -timePs);
                expected.add(timePs);
            } else {
                long timePs = expected.remove();
                assertThat(timeline.nextPs()).isEqualTo(timePs);
                assertThat(timeline.take()).isEqualTo(-timePs);
            }
        }
        while (!expected.isEmpty()) {
            assertThat(timeline.take()).isEqualTo(-expected.remove());
        }
        assertThat(timeline.nextPs()).isEqualTo(Timeline.NEVER);
    }
}
