package dev.verbena.job.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Matching agrees with two lists that are searched from their beginnings.
class MatchingTest {
    private record Wanted(int node, int source, int tag) {
        boolean fits(Sent sent) {
            return (source == Schedule.ANY || source == sent.source)
                    && (tag == Schedule.ANY || tag == sent.tag);
        }
    }

    private record Sent(int source, int tag, long bytes) {}

    @Test
    void theOldestThatFitsIsTaken() {
        long seed = Long.getLong("seed", 25);
        System.out.println("MatchingTest: seed " + seed + ", repeat with -Dseed=" + seed);
        RandomGenerator random = new SplittableRandom(seed);
        for (int run = 0; run < 500; run++) {
            Matching matching = new Matching();
            List<Wanted> posted = new ArrayList<>();
            List<Sent> kept = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                int source = random.nextInt(3);
                int tag = random.nextInt(3);
                if (random.nextBoolean()) {
                    arrive(matching, posted, kept, new Sent(source, tag, step));
                } else {
                    int from = random.nextInt(4) == 0 ? Schedule.ANY : source;
                    int as = random.nextInt(4) == 0 ? Schedule.ANY : tag;
                    post(matching, posted, kept, new Wanted(step, from, as));
                }
                assertThat(matching.waiting()).isEqualTo(posted.size());
                assertThat(matching.kept()).isEqualTo(kept.size());
                assertThat(matching.firstPosted())
                        .isEqualTo(posted.isEmpty() ? -1 : posted.getFirst().node);
            }
        }
    }

    private static void arrive(Matching matching, List<Wanted> posted, List<Sent> kept, Sent sent) {
        int expected = -1;
        for (Wanted wanted : posted) {
            if (wanted.fits(sent)) {
                expected = wanted.node;
                posted.remove(wanted);
                break;
            }
        }
        if (expected < 0) {
            kept.add(sent);
        }
        assertThat(matching.arrive(sent.source, sent.tag, sent.bytes)).isEqualTo(expected);
    }

    private static void post(
            Matching matching, List<Wanted> posted, List<Sent> kept, Wanted wanted) {
        long expected = -1;
        for (Sent sent : kept) {
            if (wanted.fits(sent)) {
                expected = sent.bytes;
                kept.remove(sent);
                break;
            }
        }
        if (expected < 0) {
            posted.add(wanted);
        }
        Matching.Arrival found = matching.post(wanted.node, wanted.source, wanted.tag);
        assertThat(found == null ? -1 : found.bytes()).isEqualTo(expected);
    }
}
