package dev.verbena.collectives.plan;

/// Halving and doubling between partners, for a power of two of ranks: in the round of distance d
/// the partner is the rank whose number differs in that bit.
///
/// Blocks that move together lie next to each other, so that each round is one message in each
/// direction, between two ranks that exchange: no link has two senders (Thakur et al. 2005).
final class RecursiveHalving {
    private final int rank;
    private final int size;
    private final Blocks blocks;
    private final boolean isVector;
    private final Rounds rounds;

    /// The first block of those that the rank has, or has the sums of.
    private int low;

    private RecursiveHalving(Shape shape) {
        rank = shape.rank();
        size = shape.size();
        blocks = shape.blocks();
        isVector = shape.operation() == Collective.ALL_REDUCE;
        boolean isScatter = shape.operation() == Collective.REDUCE_SCATTER;
        long own = blocks.wholeStart(rank);
        rounds = new Rounds(rank, shape.pieceElements(), isScatter ? own : 0);
        if (shape.operation() == Collective.ALL_GATHER) {
            rounds.copies(Place.INPUT, 0, Place.OUTPUT, own, blocks.count(rank));
            low = rank;
        }
        if (isScatter) {
            rounds.scratch(elements(rank & size / 2, size / 2));
        }
    }

    /// The plan, for two ranks or more.
    static Plan of(Shape shape) {
        RecursiveHalving all = new RecursiveHalving(shape);
        if (shape.operation() != Collective.ALL_GATHER) {
            all.scatter();
        }
        if (shape.operation() != Collective.REDUCE_SCATTER) {
            all.gather();
        }
        return all.rounds;
    }

    static boolean fits(int size) {
        return size >= 2 && Integer.bitCount(size) == 1;
    }

    private void scatter() {
        Place sums = isVector ? Place.OUTPUT : Place.SCRATCH;
        for (int distance = size / 2; distance >= 1; distance /= 2) {
            int partner = rank ^ distance;
            boolean isFirst = distance == size / 2;
            boolean isResult = distance == 1 && !isVector;
            int kept = low + (rank & distance);
            int left = low + (partner & distance);
            Place from = isFirst ? Place.INPUT : sums;
            rounds.send(partner, from, offset(from, left), elements(left, distance));
            Place to = isResult ? Place.OUTPUT : sums;
            rounds.combine(
                    partner,
                    to,
                    isResult ? 0 : offset(to, kept),
                    elements(kept, distance),
                    from,
                    offset(from, kept));
            low = kept;
        }
    }

    private void gather() {
        for (int distance = 1; distance < size; distance *= 2) {
            int partner = rank ^ distance;
            int theirs = low ^ distance;
            rounds.send(partner, Place.OUTPUT, start(low), elements(low, distance));
            rounds.receive(partner, Place.OUTPUT, start(theirs), elements(theirs, distance));
            low = Math.min(low, theirs);
        }
    }

    /// Scratch begins with the half that the rank keeps in the first round.
    private long offset(Place place, int block) {
        return place == Place.SCRATCH ? start(block) - start(rank & size / 2) : start(block);
    }

    private long start(int block) {
        return blocks.wholeStart(block);
    }

    private long elements(int from, int count) {
        return blocks.elementsUpwards(from, count);
    }
}
