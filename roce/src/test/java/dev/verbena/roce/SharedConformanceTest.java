package dev.verbena.roce;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;

/// Two devices at the same address and port.
@Tag("long")
class SharedConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        String place = TestAddresses.ipv4();
        return RoceWorld.at(place, place, "progress=thread");
    }
}
