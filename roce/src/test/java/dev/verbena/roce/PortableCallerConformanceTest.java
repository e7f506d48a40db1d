package dev.verbena.roce;

import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;

class PortableCallerConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(Places.ipv4(), Places.ipv4(), "progress=caller&path=portable");
    }
}
