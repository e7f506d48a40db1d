package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("sockets")
class YieldingTest {
    private static final long SHORT_NS = 1_000;
    private static final long SLICE_NS = 3_000_000;
    private static final long SECOND_NS = 1_000_000_000;

    private final Yielding yielding = new Yielding(0);
    private long nowNs;

    private void yields(int count, long eachNs) {
        for (int i = 0; i < count; i++) {
            yielding.yielded(nowNs, nowNs + eachNs);
            nowNs += eachNs;
        }
    }

    @Test
    void shortYieldsGoOn() {
        yields(100_000, SHORT_NS);

        assertThat(yielding.isCheap(nowNs)).isTrue();
    }

    @Test
    void aLongYieldIsTheLastForAWhile() {
        yields(1000, SHORT_NS);
        yields(1, SLICE_NS);

        assertThat(yielding.isCheap(nowNs)).isFalse();
        assertThat(yielding.isCheap(nowNs + SECOND_NS / 2)).isFalse();
        assertThat(yielding.isCheap(nowNs + 2 * SECOND_NS)).isTrue();
    }

    /// A slice of 3 ms is followed by almost a second, 200 us by 60 ms.
    @Test
    void theLongerAYieldTookTheLongerThereIsNone() {
        yields(1, 200_000);

        assertThat(yielding.isCheap(nowNs + 50_000_000)).isFalse();
        assertThat(yielding.isCheap(nowNs + 70_000_000)).isTrue();
    }

    @Test
    void noYieldIsTheLastForMoreThanASecond() {
        yields(1, 20 * SECOND_NS);

        assertThat(yielding.isCheap(nowNs + SECOND_NS / 2)).isFalse();
        assertThat(yielding.isCheap(nowNs + SECOND_NS)).isTrue();
    }
}
