package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PatternsTest {
    private static final long WITHIN_PS = 80_000;

    private static List<Flow> jittered(long seed) {
        return Patterns.jittered(Patterns.allToAll(16, 100), WITHIN_PS, seed);
    }

    @Test
    void everyHostStartsAtATimeOfItsOwn() {
        List<Flow> plain = Patterns.allToAll(16, 100);
        List<Flow> flows = jittered(3);

        assertThat(flows.stream().map(it -> it.startingAt(0))).containsExactlyElementsOf(plain);
        assertThat(flows).allMatch(it -> it.startPs() >= 0 && it.startPs() <= WITHIN_PS);
        // 15 flows of each host start together.
        assertThat(flows.stream().mapToLong(Flow::startPs).distinct().count()).isEqualTo(16);
    }

    @Test
    void theSeedChoosesTheTimes() {
        assertThat(jittered(3)).isEqualTo(jittered(3)).isNotEqualTo(jittered(4));
        assertThat(Patterns.jittered(Patterns.shift(4, 1, 100), 0, 9))
                .isEqualTo(Patterns.shift(4, 1, 100));
    }

    @Test
    void theTimesAreSpreadEvenly() {
        double mean =
                LongStream.rangeClosed(1, 100)
                        .mapToObj(PatternsTest::jittered)
                        .flatMap(List::stream)
                        .mapToLong(Flow::startPs)
                        .average()
                        .orElseThrow();

        assertThat(mean / WITHIN_PS).isBetween(0.47, 0.53);
    }
}
