package dev.verbena.collectives.plan;

/// A plan with at most one local copy: what a rank needs of its own input.
abstract class CopyingPlan implements Plan {
    private final int self;
    private Place from = Place.INPUT;
    private long fromOffset;
    private Place to = Place.OUTPUT;
    private long toOffset;
    private long elements;

    CopyingPlan(int rank) {
        self = rank;
    }

    final void copies(
            Place source, long sourceOffset, Place target, long targetOffset, long count) {
        from = source;
        fromOffset = sourceOffset;
        to = target;
        toOffset = targetOffset;
        elements = count;
    }

    @Override
    public final int copies() {
        return elements == 0 ? 0 : 1;
    }

    @Override
    public final void copy(int index, Step into) {
        if (index != 0 || elements == 0) {
            throw new IndexOutOfBoundsException(index);
        }
        into.set(self, elements, to, toOffset).from(from, fromOffset);
    }
}
