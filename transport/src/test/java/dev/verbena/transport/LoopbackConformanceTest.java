package dev.verbena.transport;

import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;

class LoopbackConformanceTest implements ConformanceSuite, PhantomConformance {
    @Override
    public World world() {
        return new LoopbackWorld(1);
    }
}
