package dev.verbena.collectives.element;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Combines vectors of 16-bit floats of IEEE 754.
final class HalfCombiner extends Combiner {
    private final Reduction reduction;

    HalfCombiner(Reduction reduction) {
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
            float a = Float.float16ToFloat(left.get(JAVA_SHORT_UNALIGNED, leftAt + 2 * i));
            float b = Float.float16ToFloat(right.get(JAVA_SHORT_UNALIGNED, rightAt + 2 * i));
            float c = reduced(reduction, a, b);
            to.set(JAVA_SHORT_UNALIGNED, toAt + 2 * i, Float.floatToFloat16(c));
        }
    }
}
