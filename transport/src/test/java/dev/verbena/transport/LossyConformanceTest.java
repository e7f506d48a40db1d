package dev.verbena.transport;

import dev.verbena.testkit.Seed;
import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;

class LossyConformanceTest implements ConformanceSuite, PhantomConformance {
    private static final Seed SEED = Seed.forTest("LossyConformanceTest", 11);

    @Override
    public World world() {
        return new LossyWorld(SEED.value());
    }
}
