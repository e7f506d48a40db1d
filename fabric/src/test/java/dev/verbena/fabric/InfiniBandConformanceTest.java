package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

class InfiniBandConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceConformanceTest.world(FabricSettings.INFINIBAND);
    }
}
