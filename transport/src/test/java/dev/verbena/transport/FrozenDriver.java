package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import java.util.function.BooleanSupplier;

/// A driver in which time stands still and no packet moves.
class FrozenDriver implements Driver {
    @Override
    public long nowNs() {
        return 0;
    }

    @Override
    public boolean turn() {
        return false;
    }

    @Override
    public void idle(long deadlineNs, BooleanSupplier isDone) {}

    @Override
    public void wake() {}
}
