package dev.verbena.collectives.element;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Combines vectors of bfloat16.
final class BrainCombiner extends Combiner {
    private final Reduction reduction;

    BrainCombiner(Reduction reduction) {
        this.reduction = reduction;
    }

    @Override
    public void combine(
            MemorySegment left,
            long leftAt,
            MemorySegment right,
            long rightAt,
            MemorySegment to,
            long toAt,
            long count) {
        for (long i = 0; i < count; i++) {
            float a = toFloat(left.get(JAVA_SHORT_UNALIGNED, leftAt + 2 * i));
            float b = toFloat(right.get(JAVA_SHORT_UNALIGNED, rightAt + 2 * i));
            float c = reduced(reduction, a, b);
            to.set(JAVA_SHORT_UNALIGNED, toAt + 2 * i, toBrain(c));
        }
    }
}
