package dev.verbena.transport;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

class LoopbackConformanceTest implements ConformanceSuite, PhantomConformance {
    @Override
    public World world() {
        return new LoopbackWorld(1);
    }
}
