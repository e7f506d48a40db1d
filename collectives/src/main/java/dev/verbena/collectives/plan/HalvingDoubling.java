package dev.verbena.collectives.plan;

/// The least bytes in the fewest rounds, for any number of ranks.
///
/// Gathering: in the round of distance d a rank has the blocks of itself and of the next d - 1
/// ranks, and sends them to the rank d before it, which so doubles its own. Scattering is the same
/// backwards: the largest distance first, half of the blocks leave in each round, and what arrives
/// is added. An all-reduce is both (Bruck et al. 1997; Träff 2023, on circulant graphs).
///
/// Blocks are counted from the rank itself; "block 3" is that of the third rank after it.
final class HalvingDoubling {
    private final int rank;
    private final int size;
    private final Blocks blocks;
    private final boolean vector;
    private final Rounds rounds;

    /// The largest distance, and how many blocks move in its round.
    private final int far;

    private final int farBlocks;

    private HalvingDoubling(Shape shape) {
        rank = shape.rank();
        size = shape.size();
        blocks = shape.blocks();
        vector = shape.operation() == Collective.ALL_REDUCE;
        boolean scatter = shape.operation() == Collective.REDUCE_SCATTER;
        long own = blocks.wholeStart(rank);
        rounds = new Rounds(rank, shape.pieceElements(), scatter ? own : 0);
        far = Integer.highestOneBit(size - 1);
        farBlocks = size - far;
        if (shape.operation() == Collective.ALL_GATHER) {
            rounds.copies(Place.INPUT, 0, Place.OUTPUT, own, blocks.count(rank));
        }
        if (scatter) {
            rounds.scratch(blocks.elementsUpwards(rank, far));
        }
    }

    static Plan of(Shape shape) {
        HalvingDoubling all = new HalvingDoubling(shape);
        if (shape.operation() != Collective.ALL_GATHER) {
            all.scatter();
        }
        if (shape.operation() != Collective.REDUCE_SCATTER) {
            all.gather();
        }
        return all.rounds;
    }

    private void gather() {
        for (int distance = 1; distance < size; distance *= 2) {
            int length = Math.min(distance, size - distance);
            int before = Math.floorMod(rank - distance, size);
            int after = (rank + distance) % size;
            int wrap = Math.min(length, size - rank);
            rounds.send(before, Place.OUTPUT, start(rank), elements(0, wrap));
            rounds.send(before, Place.OUTPUT, 0, elements(wrap, length));
            wrap = Math.min(length, size - after);
            int end = distance + length;
            rounds.receive(after, Place.OUTPUT, start(after), elements(distance, distance + wrap));
            rounds.receive(after, Place.OUTPUT, 0, elements(distance + wrap, end));
        }
    }

    private void scatter() {
        for (int distance = far; distance >= 1; distance /= 2) {
            int length = Math.min(distance, size - distance);
            int after = (rank + distance) % size;
            for (int from = 0, to; from < length; from = to) {
                to = cut(after, distance, from, length);
                sendSums(after, distance, from + distance, to + distance);
            }
            int before = Math.floorMod(rank - distance, size);
            for (int from = 0, to; from < length; from = to) {
                to = cut(rank, distance, from, length);
                receiveSums(before, distance, from, to);
            }
        }
    }

    /// The end of the message that begins with the block `from` of the receiver: the memory on both
    /// sides must be in one piece.
    private int cut(int receiver, int distance, int from, int length) {
        int to = length;
        if (size - receiver > from) {
            to = Math.min(to, size - receiver);
        }
        if (2 * distance == far) {
            if (farBlocks - distance > from) {
                to = Math.min(to, farBlocks - distance);
            }
            if (farBlocks > from) {
                to = Math.min(to, farBlocks);
            }
        }
        return to;
    }

    private void sendSums(int peer, int distance, int from, int to) {
        long count = elements(from, to);
        if (!summed(from, distance)) {
            rounds.send(peer, Place.INPUT, start((rank + from) % size), count);
        } else {
            rounds.send(peer, sums(), sumOffset(from), count);
        }
    }

    private void receiveSums(int peer, int distance, int from, int to) {
        long count = elements(from, to);
        boolean result = distance == 1 && !vector;
        Place place = result ? Place.OUTPUT : sums();
        long offset = result ? 0 : sumOffset(from);
        if (!summed(from, distance)) {
            long input = start((rank + from) % size);
            rounds.combine(peer, place, offset, count, Place.INPUT, input);
        } else {
            rounds.combine(peer, place, offset, count, sums(), sumOffset(from));
        }
    }

    /// Whether a block holds a sum before the round of this distance, and not only the input.
    private boolean summed(int block, int distance) {
        if (distance == far) {
            return false;
        }
        return block < farBlocks || 2 * distance < far;
    }

    private Place sums() {
        return vector ? Place.OUTPUT : Place.SCRATCH;
    }

    private long sumOffset(int block) {
        return vector ? start((rank + block) % size) : elements(0, block);
    }

    private long start(int block) {
        return blocks.wholeStart(block);
    }

    private long elements(int from, int to) {
        return blocks.elementsUpwards((rank + from) % size, to - from);
    }
}
