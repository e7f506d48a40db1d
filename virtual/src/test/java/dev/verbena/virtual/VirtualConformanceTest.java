package dev.verbena.virtual;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

class VirtualConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return new VirtualWorld(VirtualSettings.DEFAULT);
    }
}
