package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.run.LocalWork;
import dev.verbena.job.HostWork.SlowRank;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostWorkTest {
    private static final int TIMES = 10_000;
    private static final HostWork WORK = HostWork.USUAL.withSeed(3);

    private static double meanNs(LocalWork work) {
        double sum = 0;
        for (int i = 0; i < TIMES; i++) {
            sum += work.receiveNs(400_000, true);
        }
        return sum / TIMES;
    }

    @Test
    void takesItsTimeAndALittleMore() {
        // Half a microsecond for the message, one for its bytes, and a fifth on top.
        assertThat(meanNs(WORK.of(2))).isBetween(1770.0, 1830.0);
        LocalWork work = WORK.of(2);
        for (int i = 0; i < TIMES; i++) {
            assertThat(work.sendNs(1)).isGreaterThanOrEqualTo(500);
        }
    }

    @Test
    void theRankThatIsSlowTakesLongerAndNoOther() {
        HostWork slow = WORK.withSlow(List.of(new SlowRank(2, 3, 0), new SlowRank(5, 1, 10_000)));
        assertThat(meanNs(slow.of(2)) / meanNs(WORK.of(2))).isBetween(2.99, 3.01);
        assertThat(meanNs(slow.of(5)) - meanNs(WORK.of(5))).isBetween(9_999.0, 10_001.0);
        for (int rank : new int[] {0, 1, 3, 4, 6}) {
            assertThat(meanNs(slow.of(rank))).isEqualTo(meanNs(WORK.of(rank)));
        }
    }

    @Test
    void isTheSameForTheSameSeed() {
        assertThat(WORK.of(4).sendNs(9)).isEqualTo(WORK.of(4).sendNs(9));
        assertThat(meanNs(WORK.of(4))).isNotEqualTo(meanNs(WORK.withSeed(4).of(4)));
        assertThat(meanNs(WORK.of(4))).isNotEqualTo(meanNs(WORK.of(5)));
    }

    @Test
    void refusesWhatIsNotSlow() {
        assertThatThrownBy(() -> new SlowRank(1, 0.5, 0)).hasMessageContaining("slow rank 1");
    }
}
