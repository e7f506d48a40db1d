package dev.verbena.roce;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

class CallerConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(TestAddresses.ipv4(), TestAddresses.ipv4(), "progress=caller");
    }
}
