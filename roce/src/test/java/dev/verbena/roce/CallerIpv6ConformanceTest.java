package dev.verbena.roce;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("long")
@EnabledIf("dev.verbena.roce.TestAddresses#hasIpv6")
class CallerIpv6ConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(TestAddresses.ipv6(), TestAddresses.ipv6(), "progress=caller");
    }
}
