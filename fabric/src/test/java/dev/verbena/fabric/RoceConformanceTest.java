package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

/// The suite over `fabric://`, on Ethernet.
class RoceConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return UriWorld.registered(FabricSettings.ROCE);
    }
}
