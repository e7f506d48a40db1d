package dev.verbena.transport;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import dev.verbena.testkit.Seed;

class LossyConformanceTest implements ConformanceSuite, PhantomConformance {
    private static final Seed SEED = Seed.forTest("LossyConformanceTest", 11);

    @Override
    public World world() {
        return new LossyWorld(SEED.value());
    }
}
