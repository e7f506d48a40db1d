package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

/// The suite over `fabric://`, on InfiniBand.
class InfiniBandConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return UriWorld.registered(FabricSettings.INFINIBAND);
    }
}
