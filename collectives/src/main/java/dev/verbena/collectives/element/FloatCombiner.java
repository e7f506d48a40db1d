package dev.verbena.collectives.element;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Combines vectors of `float`.
final class FloatCombiner extends Combiner {
    private static final ThreadLocal<Part> PARTS = ThreadLocal.withInitial(Part::new);

    private final Reduction reduction;

    FloatCombiner(Reduction reduction) {
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
        Part part = PARTS.get();
        float[] a = part.left;
        float[] b = part.right;
        for (long done = 0; done < count; done += a.length) {
            int length = (int) Math.min(a.length, count - done);
            long skip = done * Float.BYTES;
            MemorySegment.copy(left, JAVA_FLOAT_UNALIGNED, leftAt + skip, a, 0, length);
            MemorySegment.copy(right, JAVA_FLOAT_UNALIGNED, rightAt + skip, b, 0, length);
            switch (reduction) {
                case SUM -> add(a, b, length);
                case MIN -> least(a, b, length);
                case MAX -> most(a, b, length);
            }
            MemorySegment.copy(a, 0, to, JAVA_FLOAT_UNALIGNED, toAt + skip, length);
        }
    }

    private static void add(float[] a, float[] b, int length) {
        for (int i = 0; i < length; i++) {
            a[i] += b[i];
        }
    }

    private static void least(float[] a, float[] b, int length) {
        for (int i = 0; i < length; i++) {
            a[i] = Math.min(a[i], b[i]);
        }
    }

    private static void most(float[] a, float[] b, int length) {
        for (int i = 0; i < length; i++) {
            a[i] = Math.max(a[i], b[i]);
        }
    }

    /// The part of both vectors that a thread combines at once.
    private static final class Part {
        final float[] left = new float[PART_BYTES / Float.BYTES];
        final float[] right = new float[PART_BYTES / Float.BYTES];
    }
}
