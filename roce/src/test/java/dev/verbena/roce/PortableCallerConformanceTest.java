package dev.verbena.roce;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PortableCallerConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(
                TestAddresses.ipv4(), TestAddresses.ipv4(), "progress=caller&path=portable");
    }
}
