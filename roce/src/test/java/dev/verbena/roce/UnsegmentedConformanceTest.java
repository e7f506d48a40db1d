package dev.verbena.roce;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;

@Tag("long")
class UnsegmentedConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(TestAddresses.ipv4(), TestAddresses.ipv4(), "progress=thread&gso=off");
    }
}
