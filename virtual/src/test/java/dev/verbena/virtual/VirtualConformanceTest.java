package dev.verbena.virtual;

import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;

class VirtualConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return new VirtualWorld(VirtualSettings.DEFAULT);
    }
}
