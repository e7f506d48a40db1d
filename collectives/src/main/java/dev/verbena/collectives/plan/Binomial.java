package dev.verbena.collectives.plan;

/// A binomial tree. Ranks are counted from the root; a rank's parent is the rank without the lowest
/// bit, and its children are the ranks with one lower bit more. The ranks below a rank follow it
/// without a gap, so that a gather moves ranges of blocks.
final class Binomial {
    private final int rank;
    private final int size;
    private final int root;
    private final int index;

    /// The distance to the parent; for the root, that to no rank.
    private final int reach;

    private final Rounds rounds;

    private Binomial(Shape shape) {
        rank = shape.rank();
        size = shape.size();
        root = shape.root();
        index = Math.floorMod(rank - root, size);
        reach = index == 0 ? 2 * Integer.highestOneBit(size) : Integer.lowestOneBit(index);
        rounds = new Rounds(shape);
    }

    static Plan of(Shape shape) {
        Binomial tree = new Binomial(shape);
        switch (shape.operation()) {
            case BROADCAST -> tree.broadcast(shape.count());
            case REDUCE -> tree.reduce(shape.count());
            case GATHER -> tree.gather(shape.blocks());
            case SCATTER -> tree.scatter(shape.blocks());
            case BARRIER -> tree.barrier();
            case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL ->
                    throw new IllegalArgumentException("no tree for " + shape.operation());
        }
        return tree.rounds;
    }

    private void broadcast(long count) {
        Place place = Place.OUTPUT;
        if (index == 0) {
            place = Place.INPUT;
            rounds.copies(Place.INPUT, 0, Place.OUTPUT, 0, count);
        } else {
            rounds.receive(parent(), place, 0, count);
        }
        for (int bit = largest(); bit >= 1; bit /= 2) {
            rounds.send(rank(index + bit), place, 0, count);
        }
    }

    private void reduce(long count) {
        Place sums = index == 0 ? Place.OUTPUT : Place.SCRATCH;
        Place place = Place.INPUT;
        for (int bit = 1; bit <= largest(); bit *= 2) {
            rounds.combine(rank(index + bit), sums, 0, count, place, 0);
            place = sums;
        }
        if (index != 0) {
            rounds.send(parent(), place, 0, count);
            rounds.scratch(place == Place.SCRATCH ? count : 0);
        }
    }

    private void gather(Blocks blocks) {
        boolean leaf = largest() == 0;
        long own = blocks.count(rank);
        if (index == 0) {
            rounds.copies(Place.INPUT, 0, Place.OUTPUT, blocks.wholeStart(rank), own);
        } else if (!leaf) {
            rounds.copies(Place.INPUT, 0, Place.SCRATCH, 0, own);
            rounds.scratch(elements(blocks, index, below(index)));
        }
        for (int bit = 1; bit <= largest(); bit *= 2) {
            int child = index + bit;
            for (int from = child, to; from < below(child); from = to) {
                to = wrap(from, below(child));
                long offset = offset(blocks, index, from);
                Place place = index == 0 ? Place.OUTPUT : Place.SCRATCH;
                rounds.receive(rank(child), place, offset, elements(blocks, from, to));
            }
        }
        for (int from = index, to; index != 0 && from < below(index); from = to) {
            to = wrap(from, below(index));
            Place place = leaf ? Place.INPUT : Place.SCRATCH;
            long count = elements(blocks, from, to);
            rounds.send(parent(), place, elements(blocks, index, from), count);
        }
    }

    /// A child's own block is a message of its own, straight to the output.
    private void scatter(Blocks blocks) {
        if (index == 0) {
            long own = blocks.count(rank);
            rounds.copies(Place.INPUT, blocks.wholeStart(rank), Place.OUTPUT, 0, own);
        } else {
            for (int from = index + 1, to; from < below(index); from = to) {
                to = wrap(from, below(index));
                long offset = elements(blocks, index + 1, from);
                rounds.receive(parent(), Place.SCRATCH, offset, elements(blocks, from, to));
            }
            rounds.receive(parent(), Place.OUTPUT, 0, blocks.count(rank));
            rounds.scratch(elements(blocks, index + 1, below(index)));
        }
        for (int bit = largest(); bit >= 1; bit /= 2) {
            int child = index + bit;
            for (int from = child + 1, to; from < below(child); from = to) {
                to = wrap(from, below(child));
                sendBlocks(blocks, child, from, to);
            }
            sendBlocks(blocks, child, child, child + 1);
        }
    }

    private void sendBlocks(Blocks blocks, int child, int from, int to) {
        Place place = index == 0 ? Place.INPUT : Place.SCRATCH;
        long offset = offset(blocks, index == 0 ? 0 : index + 1, from);
        rounds.send(rank(child), place, offset, elements(blocks, from, to));
    }

    private void barrier() {
        long slot = 1;
        for (int bit = 1; bit <= largest(); bit *= 2) {
            rounds.receive(rank(index + bit), Place.SCRATCH, slot++, 1);
        }
        if (index != 0) {
            rounds.signal(parent());
            rounds.receive(parent(), Place.SCRATCH, slot++, 1);
        }
        for (int bit = largest(); bit >= 1; bit /= 2) {
            rounds.signal(rank(index + bit));
        }
        rounds.scratch(slot);
    }

    /// At the root, where a block lies by rank; elsewhere, behind the first block kept.
    private long offset(Blocks blocks, int firstKept, int block) {
        return index == 0 ? blocks.wholeStart(rank(block)) : elements(blocks, firstKept, block);
    }

    /// The end of the range from `from` on that does not go past the last rank.
    private int wrap(int from, int to) {
        int last = size - root;
        return from < last ? Math.min(to, last) : to;
    }

    private long elements(Blocks blocks, int from, int to) {
        return to <= from ? 0 : blocks.elementsUpwards(rank(from), to - from);
    }

    /// The end of the ranks at and below a child.
    private int below(int child) {
        return Math.min(size, child + Integer.lowestOneBit(child));
    }

    /// The distance to the child farthest away; 0 without children.
    private int largest() {
        int most = Math.min(reach - 1, size - 1 - index);
        return Integer.highestOneBit(most);
    }

    private int parent() {
        return rank(index - reach);
    }

    private int rank(int fromRoot) {
        return (fromRoot + root) % size;
    }
}
