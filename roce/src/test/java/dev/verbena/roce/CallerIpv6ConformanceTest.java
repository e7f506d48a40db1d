package dev.verbena.roce;

import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("dev.verbena.roce.Places#hasIpv6")
class CallerIpv6ConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(Places.ipv6(), Places.ipv6(), "progress=caller");
    }
}
