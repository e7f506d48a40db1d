package dev.verbena.collectives.plan;

/// The fewest rounds: partners at distances 1, 2, 4, … exchange all that they have.
final class RecursiveDoubling {
    private RecursiveDoubling() {}

    /// An all-reduce. Ranks beyond the largest power of two hand their input to a neighbour before
    /// and get the result after.
    ///
    /// Partners send and receive the same part of the vector at the same time. A sum therefore
    /// never goes where the operand still leaves from: sums take two places in scratch in turn, and
    /// the last one goes to the output.
    static Plan allReduce(Shape shape) {
        long count = shape.count();
        int rank = shape.rank();
        int power = Integer.highestOneBit(shape.size());
        int folded = shape.size() - power;
        Rounds rounds = new Rounds(shape);
        if (rank < 2 * folded && rank % 2 == 0) {
            rounds.send(rank + 1, Place.INPUT, 0, count);
            rounds.receive(rank + 1, Place.OUTPUT, 0, count);
            return rounds;
        }
        rounds.scratch(2 * count);
        boolean helps = rank < 2 * folded;
        Place place = Place.INPUT;
        long offset = 0;
        if (helps) {
            place = Place.SCRATCH;
            rounds.combine(rank - 1, place, 0, count, Place.INPUT, 0);
        } else if (power == 2) {
            place = Place.SCRATCH;
            rounds.copies(Place.INPUT, 0, place, 0, count);
        }
        int index = helps ? rank / 2 : rank - folded;
        long next = count;
        for (int distance = 1; distance < power; distance *= 2) {
            int partner = index ^ distance;
            int peer = partner < folded ? 2 * partner + 1 : partner + folded;
            Place target = 2 * distance == power ? Place.OUTPUT : Place.SCRATCH;
            long at = target == Place.OUTPUT ? 0 : next;
            rounds.send(peer, place, offset, count);
            rounds.combine(peer, target, at, count, place, offset);
            place = target;
            offset = at;
            next = count - next;
        }
        if (helps) {
            rounds.send(rank - 1, Place.OUTPUT, 0, count);
        }
        return rounds;
    }

    /// A barrier by dissemination: in the round of distance d a rank signals the rank d after it.
    static Plan barrier(Shape shape) {
        int size = shape.size();
        Rounds rounds = new Rounds(shape);
        long slot = 1;
        for (int distance = 1; distance < size; distance *= 2) {
            rounds.signal((shape.rank() + distance) % size);
            int peer = Math.floorMod(shape.rank() - distance, size);
            rounds.receive(peer, Place.SCRATCH, slot++, 1);
        }
        rounds.scratch(slot);
        return rounds;
    }
}
