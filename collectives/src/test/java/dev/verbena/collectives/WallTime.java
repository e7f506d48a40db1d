package dev.verbena.collectives;

import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import org.jspecify.annotations.Nullable;

/// The time of live devices: it passes by itself.
final class WallTime implements VirtualTime {
    private final long startNs = System.nanoTime();

    @Override
    public long nowNs() {
        return System.nanoTime() - startNs;
    }

    @Override
    public boolean step(long untilNs) {
        return nowNs() < untilNs;
    }

    @Override
    public void advanceTo(long untilNs) {}

    @Override
    public boolean isIdle() {
        return false;
    }

    @Override
    public void pass(@Nullable Baton baton) {
        throw new UnsupportedOperationException("live devices need no baton");
    }
}
