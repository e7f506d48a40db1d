package dev.verbena.collectives.element;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Combines vectors of `int`.
final class IntCombiner extends Combiner {
    private static final ThreadLocal<Part> PARTS = ThreadLocal.withInitial(Part::new);

    private final Reduction reduction;

    IntCombiner(Reduction reduction) {
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
        int[] a = part.left;
        int[] b = part.right;
        for (long done = 0; done < count; done += a.length) {
            int length = (int) Math.min(a.length, count - done);
            long skip = done * Integer.BYTES;
            MemorySegment.copy(left, JAVA_INT_UNALIGNED, leftAt + skip, a, 0, length);
            MemorySegment.copy(right, JAVA_INT_UNALIGNED, rightAt + skip, b, 0, length);
            switch (reduction) {
                case SUM -> add(a, b, length);
                case MIN -> least(a, b, length);
                case MAX -> most(a, b, length);
            }
            MemorySegment.copy(a, 0, to, JAVA_INT_UNALIGNED, toAt + skip, length);
        }
    }

    private static void add(int[] a, int[] b, int length) {
        for (int i = 0; i < length; i++) {
            a[i] += b[i];
        }
    }

    private static void least(int[] a, int[] b, int length) {
        for (int i = 0; i < length; i++) {
            a[i] = Math.min(a[i], b[i]);
        }
    }

    private static void most(int[] a, int[] b, int length) {
        for (int i = 0; i < length; i++) {
            a[i] = Math.max(a[i], b[i]);
        }
    }

    /// The part of both vectors that a thread combines at once.
    private static final class Part {
        final int[] left = new int[PART_BYTES / Integer.BYTES];
        final int[] right = new int[PART_BYTES / Integer.BYTES];
    }
}
