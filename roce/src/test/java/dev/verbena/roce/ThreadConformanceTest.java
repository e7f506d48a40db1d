package dev.verbena.roce;

import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;

class ThreadConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(TestAddresses.ipv4(), TestAddresses.ipv4(), "progress=thread");
    }
}
