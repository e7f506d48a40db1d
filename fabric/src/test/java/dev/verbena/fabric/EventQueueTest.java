package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private record Entry(long timePs, int order) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(timePs, other.timePs);
            return byTime != 0 ? byTime : Integer.compare(order, other.order);
        }
    }

    /// Like times of links, of timers, of the same instant, and of long after.
    private static long delay(SplittableRandom random, boolean isInStep) {
        return isInStep ? 1_000_000L * (random.nextInt(100) / 99) : delay(random);
    }

    private static long delay(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> random.nextInt(64);
            case 2 -> random.nextInt(100_000);
            case 3 -> 583_200;
            case 4 -> random.nextInt(5_000_000);
            default -> random.nextLong(1L << 40);
        };
    }

    @Test
    void whatHappensDoesSoByTimeAndThenByOrder() {
        SplittableRandom random = Seed.forTest("EventQueueTest", 3).random();
        for (int run = 0; run < 30; run++) {
            EventQueue queue = new EventQueue();
            TreeSet<Entry> model = new TreeSet<>();
            long nowPs = 0;
            int most = 1 << random.nextInt(12);
            boolean isInStep = run % 3 == 0;
            for (int i = 0; i < 20_000; i++) {
                boolean grows = model.size() < most && random.nextInt(100) < 52;
                if (grows || model.isEmpty()) {
                    Entry entry =
                            new Entry(nowPs + delay(random, isInStep), random.nextInt(1 << 20));
                    if (model.add(entry)) {
                        queue.add(entry.order, entry.timePs);
                    }
                } else {
                    Entry expected = model.pollFirst();
                    assertThat(queue.nextPs()).isEqualTo(expected.timePs);
                    assertThat(queue.next()).isEqualTo(expected.order);
                    nowPs = expected.timePs;
                }
                if (random.nextInt(50) == 0 && !model.isEmpty()) {
                    // Looking ahead must not keep something earlier from coming first.
                    assertThat(queue.nextPs()).isEqualTo(model.first().timePs);
                }
                assertThat(queue.size()).isEqualTo(model.size());
            }
        }
    }

    @Test
    void somethingLongBeforeWhatIsNextComesFirstAndTheRestKeepsItsOrder() {
        EventQueue queue = new EventQueue();
        long farPs = 1L << 42;
        queue.add(1, farPs);
        queue.add(2, farPs + 300);
        assertThat(queue.nextPs()).isEqualTo(farPs);

        queue.add(3, farPs - (1L << 39));
        queue.add(4, farPs - (1L << 39) + 900_000);
        queue.add(5, 700);
        queue.add(6, farPs + 200);
        int[] orders = new int[6];
        for (int i = 0; i < orders.length; i++) {
            assertThat(queue.nextPs()).isNotEqualTo(EventQueue.NEVER);
            orders[i] = queue.next();
        }
        assertThat(orders).containsExactly(5, 3, 4, 1, 6, 2);
    }

    @Test
    void anEmptyQueueHasNothingToCome() {
        EventQueue queue = new EventQueue();
        assertThat(queue.nextPs()).isEqualTo(EventQueue.NEVER);
        queue.add(7, 1L << 45);
        assertThat(queue.nextPs()).isEqualTo(1L << 45);
        assertThat(queue.next()).isEqualTo(7);
        assertThat(queue.nextPs()).isEqualTo(EventQueue.NEVER);
    }
}
