package dev.verbena.collectives.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Ranks that die or hang, in processes of their own on this machine.
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class FailedRankTest {
    private static final int RANKS = 4;

    private interface Harm {
        void to(RankProcess rank) throws IOException, InterruptedException;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void theOthersNameARankThatWasKilledAndGoOnWithoutIt(int killed)
            throws IOException, InterruptedException {
        othersGoOn(killed, RankProcess::kill);
    }

    @Test
    void theOthersNameARankThatHangsAndGoOnWithoutIt() throws IOException, InterruptedException {
        othersGoOn(1, RankProcess::stop);
    }

    private static void othersGoOn(int number, Harm harm) throws IOException, InterruptedException {
        List<RankProcess> ranks = new ArrayList<>();
        // Addresses of loopback that no other test at the same time has.
        long place = ProcessHandle.current().pid() % 250 + 1;
        String addresses = "127.25.%d.%%d".formatted(place);
        try {
            for (int i = 0; i < RANKS; i++) {
                ranks.add(new RankProcess(i, RANKS, addresses));
            }
            for (RankProcess rank : ranks) {
                assertThat(rank.hear()).isEqualTo("going");
            }
            harm.to(ranks.get(number));
            for (int i = 0; i < RANKS; i++) {
                if (i != number) {
                    assertThat(ranks.get(i).hear()).isEqualTo("failed " + number);
                    assertThat(ranks.get(i).hear()).isEqualTo("right with 3");
                    assertThat(ranks.get(i).await()).isZero();
                }
            }
        } finally {
            ranks.forEach(RankProcess::close);
        }
    }
}
