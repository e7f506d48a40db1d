package dev.verbena.transport.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.carrier.TransmitSink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
    private static final int PAIRS = 60;

    private final List<Timed> pairs = new ArrayList<>();
    private final TimerQueue timers = new TimerQueue();

    /// When each armed queue pair is to be looked at.
    private final Map<Timed, Long> model = new HashMap<>();

    TimerQueueTest() {
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(new Armed(i));
        }
    }

    /// Something with a deadline and nothing else.
    private static final class Armed extends Timed {
        Armed(int index) {
            super(index);
        }

        @Override
        public void handleTimeout(long nowNs, long heardNs) {
            throw new AssertionError("only the queue is tried");
        }

        @Override
        public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
            return NOTHING;
        }

        @Override
        public boolean mayHaveMore() {
            return false;
        }
    }

    private void arm(Timed pair, long atNs) {
        timers.arm(pair, atNs);
        model.merge(pair, atNs, Math::min);
    }

    /// By time, then by index.
    private List<Timed> dueBy(long nowNs) {
        return model.entrySet().stream()
                .filter(it -> it.getValue() <= nowNs)
                .sorted(
                        Map.Entry.<Timed, Long>comparingByValue()
                                .thenComparing(it -> it.getKey().index, Comparator.naturalOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void checkNext() {
        assertThat(timers.next())
                .isEqualTo(
                        model.values().stream().mapToLong(it -> it).min().orElse(TimerQueue.NEVER));
    }

    @Test
    void queuePairsExpireInTheOrderOfTheirTimesWhateverWasArmedAndRemoved() {
        SplittableRandom random = Seed.forTest("TimerQueueTest", 5).random();
        long nowNs = 0;
        for (int step = 0; step < 3000; step++) {
            Timed pair = pairs.get(random.nextInt(PAIRS));
            switch (random.nextInt(8)) {
                case 0 -> {
                    timers.remove(pair);
                    model.remove(pair);
                }
                case 1 -> {
                    nowNs += random.nextInt(20);
                    for (Timed due : dueBy(nowNs)) {
                        assertThat(timers.expire(nowNs)).isSameAs(due);
                        model.remove(due);
                    }
                    assertThat(timers.expire(nowNs)).isNull();
                }
                default -> arm(pair, nowNs + random.nextInt(100));
            }
            checkNext();
        }
        assertThat(model).isNotEmpty();
    }

    @Test
    void aDeadlineThatMovesOutIsStillLookedAtInTime() {
        arm(pairs.get(0), 100);
        arm(pairs.get(0), 200);
        assertThat(timers.next()).isEqualTo(100);
        arm(pairs.get(0), 50);
        assertThat(timers.next()).isEqualTo(50);
        assertThat(timers.expire(49)).isNull();
        assertThat(timers.expire(50)).isSameAs(pairs.get(0));
        assertThat(timers.next()).isEqualTo(TimerQueue.NEVER);
    }
}
