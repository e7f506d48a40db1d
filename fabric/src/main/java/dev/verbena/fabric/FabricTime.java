package dev.verbena.fabric;

import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import org.jspecify.annotations.Nullable;

/// The time of a fabric in nanoseconds, for threads that take turns.
record FabricTime(Fabric fabric) implements VirtualTime {
    @Override
    public long nowNs() {
        return fabric.nowPs() / Clock.PS_PER_NS;
    }

    @Override
    public boolean step(long untilNs) {
        return fabric.step(ps(untilNs));
    }

    @Override
    public void advanceTo(long untilNs) {
        fabric.run(ps(untilNs));
    }

    @Override
    public boolean isIdle() {
        return fabric.isIdle();
    }

    @Override
    public void pass(@Nullable Baton baton) {
        fabric.pass(baton);
    }

    @Override
    public @Nullable Baton baton() {
        return fabric.baton();
    }

    private static long ps(long ns) {
        return ns > Long.MAX_VALUE / Clock.PS_PER_NS ? Long.MAX_VALUE - 1 : ns * Clock.PS_PER_NS;
    }
}
