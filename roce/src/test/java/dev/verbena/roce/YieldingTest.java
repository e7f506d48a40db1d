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
}
