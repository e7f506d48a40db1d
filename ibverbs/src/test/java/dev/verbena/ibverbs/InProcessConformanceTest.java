package dev.verbena.ibverbs;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/// The suite over a driver in this process: the provider's own logic, without a device.
class InProcessConformanceTest implements ConformanceSuite, IbvLifetimeConformance {
    @Override
    public World world() {
        return new InProcessWorld(false);
    }

    @Override
    @Test
    @Disabled("the files of the kernel are those of a test here, and do not change")
    public void countersMoveWithTraffic(World world) {}

    @Override
    @Test
    @Disabled("takes more connections than the driver has")
    public void oldestEventsAreDroppedWhenTooManyWait(World world) {}
}
