package dev.verbena.collectives;

import dev.verbena.collectives.plan.Place;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;

/// The plainest all-gather: what a rank has goes around the ring whole. The output begins with the
/// rank's own input, then come those of the ranks before it.
record NaiveRing(int rank, int size, long count) implements Plan {
    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public int sends(int lane) {
        return size - 1;
    }

    @Override
    public int receives(int lane) {
        return size - 1;
    }

    /// Step 0 sends the input; step i sends what arrived in step i - 1, from its own half of
    /// scratch.
    @Override
    public void send(int lane, int index, Step into) {
        into.set((rank + 1) % size, count, Place.OUTPUT, index * count).afterReceives(0, index);
    }

    @Override
    public void receive(int lane, int index, Step into) {
        into.set((rank + size - 1) % size, count, Place.OUTPUT, (index + 1) * count);
    }
}
