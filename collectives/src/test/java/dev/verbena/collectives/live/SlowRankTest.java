package dev.verbena.collectives.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// A rank that sleeps, in a process of its own on this machine, is named by rank 0.
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class SlowRankTest {
    private static final int RANKS = 4;

    @Test
    void rankZeroNamesTheRankThatSleeps() throws InterruptedException {
        List<RankProcess> ranks = new ArrayList<>();
        // Addresses of loopback that no other test at the same time has.
        long place = ProcessHandle.current().pid() % 250 + 1;
        String addresses = "127.26.%d.%%d".formatted(place);
        try {
            for (int i = 0; i < RANKS; i++) {
                ranks.add(new RankProcess(TracedRank.class, i, RANKS, addresses));
            }
            assertThat(ranks.getFirst().hear()).isEqualTo(RANKS + " whole");
            assertThat(ranks.getFirst().hear())
                    .startsWith("rank " + TracedRank.SLEEPER + " is slow: ");
            for (RankProcess rank : ranks) {
                assertThat(rank.await()).isZero();
            }
        } finally {
            ranks.forEach(RankProcess::close);
        }
    }
}
