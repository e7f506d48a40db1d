package dev.verbena.transport.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntIndexTest {
    private final IntIndex index = new IntIndex();
    private final Map<Integer, Integer> model = new HashMap<>();

    private void check(int keys) {
        assertThat(index.size()).isEqualTo(model.size());
        for (int key = -keys; key <= keys; key++) {
            assertThat(index.get(key))
                    .as("key %d", key)
                    .isEqualTo(model.getOrDefault(key, IntIndex.NONE));
        }
    }

    @Test
    void holdsWhatAMapHolds() {
        SplittableRandom random = Seed.forTest("IntIndexTest", 11).random();
        for (int keys : new int[] {3, 20, 300}) {
            for (int step = 0; step < 20 * keys; step++) {
                int key = random.nextInt(-keys, keys + 1);
                if (random.nextBoolean()) {
                    index.remove(key);
                    model.remove(key);
                } else if (model.putIfAbsent(key, step) == null) {
                    index.put(key, step);
                }
                if (step % keys == 0) {
                    check(keys);
                }
            }
        }
        check(300);
    }

    @Test
    void isEmptyAgainWhenAllAreRemoved() {
        for (int key = 0; key < 100; key++) {
            index.put(key, key);
        }
        for (int key = 99; key >= 0; key--) {
            index.remove(key);
        }
        check(100);
    }
}
