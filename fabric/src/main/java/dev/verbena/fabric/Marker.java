package dev.verbena.fabric;

import java.util.SplittableRandom;

/// Marks packets that leave a switch, with a random generator of its own.
///
/// It looks at the queue when a packet leaves, not when it joins: in a long queue a mark would
/// otherwise report a queue as it was long ago, and reach the sender as much later.
final class Marker {
    private final Marking marking;
    private final PacketPool pool;
    private final SplittableRandom dice;
    private long marked;

    Marker(Marking marking, PacketPool pool, long seed) {
        this.marking = marking;
        this.pool = pool;
        dice = new SplittableRandom(seed);
    }

    /// Decides whether a packet that leaves a queue of this length, itself included, is marked.
    void look(int handle, long queueBytes) {
        double part = marking.part(queueBytes);
        // A random number is drawn only between the two thresholds.
        if (part > 0 && (part >= 1 || dice.nextDouble() < part) && pool.mark(handle)) {
            marked++;
        }
    }

    long marked() {
        return marked;
    }
}
