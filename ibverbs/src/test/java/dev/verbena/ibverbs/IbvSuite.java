package dev.verbena.ibverbs;

import dev.verbena.testkit.conformance.ConformanceSuite;
import dev.verbena.testkit.conformance.World;
import org.junit.jupiter.api.extension.ExtendWith;

/// The suite on a device of this machine. Not by its name a test of every build, since few machines
/// have a device: the laboratory runs it, on the kernel's Soft-RoCE.
@ExtendWith(Deviations.class)
class IbvSuite implements ConformanceSuite, IbvLifetimeConformance {
    @Override
    public World world() {
        return new IbvWorld();
    }
}
