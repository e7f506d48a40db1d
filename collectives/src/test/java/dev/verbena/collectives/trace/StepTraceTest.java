package dev.verbena.collectives.trace;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.trace.TracedStep.Kind;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class StepTraceTest {
    private long nowNs;
    private final StepTrace trace = new StepTrace(4, () -> nowNs);

    private long send(int index) {
        return trace.add(Kind.SEND, 1, 7, index, 100, 10, 20, 30);
    }

    @Test
    void keepsTheNewestStepsAndCountsTheOthers() {
        for (int i = 0; i < 10; i++) {
            send(i);
        }
        RankTrace kept = trace.of(3);
        assertThat(kept.rank()).isEqualTo(3);
        assertThat(kept.overwritten()).isEqualTo(6);
        assertThat(kept.steps()).extracting(TracedStep::index).containsExactly(6, 7, 8, 9);
    }

    @Test
    void hasAllFieldsOfAStep() {
        trace.begun(5);
        trace.add(Kind.RECEIVE, 200, 65_535, 1 << 20, 1L << 40, -30, -20, -10);
        trace.ended(40);
        assertThat(trace.of(0).steps())
                .containsExactly(
                        new TracedStep(
                                Kind.RECEIVE,
                                200,
                                65_535,
                                1,
                                1 << 20,
                                1L << 40,
                                -30,
                                -20,
                                -10,
                                StepTrace.NONE),
                        new TracedStep(Kind.OPERATION, 0, 0, 1, 0, 0, 5, 5, 40, StepTrace.NONE));
    }

    @Test
    void theGapBetweenOperationsIsKnown() {
        trace.begun(5);
        trace.ended(40);
        trace.begun(60);
        trace.ended(70);
        TracedStep second = trace.of(0).steps().get(1);
        assertThat(second.readyNs()).isEqualTo(40);
        assertThat(second.hereNs()).isEqualTo(60);
        assertThat(second.operation()).isEqualTo(2);
    }

    @Test
    void anAcknowledgementFindsItsStepUntilItIsOverwritten() {
        long first = send(0);
        long second = send(1);
        trace.acknowledged(second, 90);
        assertThat(trace.of(0).steps())
                .extracting(TracedStep::hasTransfer)
                .containsExactly(false, true);
        assertThat(trace.of(0).steps().get(1).transferNs()).isEqualTo(60);
        for (int i = 2; i < 5; i++) {
            send(i);
        }
        trace.acknowledged(first, 95);
        assertThat(trace.of(0).steps())
                .extracting(TracedStep::hasTransfer)
                .containsExactly(true, false, false, false);
    }

    @Test
    void readsWhatAnotherRankHasWritten() {
        for (int i = 0; i < 6; i++) {
            send(i);
        }
        trace.acknowledged(4, 77);
        MemorySegment bytes = MemorySegment.ofArray(new byte[(int) trace.bytes()]);
        trace.write(bytes, JAVA_LONG_UNALIGNED);
        RankTrace read = RankTrace.read(3, 8, bytes, JAVA_LONG_UNALIGNED, 2);
        assertThat(read).isEqualTo(trace.of(3));
    }

    @Test
    void refusesStepsThatNoRankHas() {
        send(0);
        MemorySegment bytes = MemorySegment.ofArray(new byte[(int) trace.bytes()]);
        trace.write(bytes, JAVA_LONG_UNALIGNED);
        assertThatThrownBy(() -> RankTrace.read(1, 7, bytes, JAVA_LONG_UNALIGNED, 0))
                .hasMessageContaining("rank 1")
                .hasMessageContaining("with rank 7 of 7");
        bytes.fill((byte) 0x55);
        assertThatThrownBy(() -> RankTrace.read(1, 8, bytes, JAVA_LONG_UNALIGNED, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherClockMovesAllTimesThatAreKnown() {
        long first = send(0);
        send(1);
        trace.acknowledged(first, 90);
        RankTrace moved = trace.of(0).shifted(7);
        assertThat(moved.steps()).extracting(TracedStep::readyNs).containsExactly(3L, 3L);
        assertThat(moved.steps().getFirst().ackedNs()).isEqualTo(83);
        assertThat(moved.steps().getLast().hasTransfer()).isFalse();
    }

    @Test
    void hasALimit() {
        assertThatThrownBy(() -> new StepTrace(StepTrace.STEPS_MAX + 1, () -> 0))
                .hasMessageContaining("1 to 1,048,576");
    }
}
