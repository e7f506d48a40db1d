package dev.verbena.fabric;

import java.util.SplittableRandom;

/// A switch's marks, and the dice they are thrown with.
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

    /// Marks a packet that joins a queue of this length, or not.
    void look(int handle, long queueBytes) {
        double part = marking.part(queueBytes);
        // The dice are thrown for those in between alone.
        if (part > 0 && (part >= 1 || dice.nextDouble() < part) && pool.mark(handle)) {
            marked++;
        }
    }

    long marked() {
        return marked;
    }
}
