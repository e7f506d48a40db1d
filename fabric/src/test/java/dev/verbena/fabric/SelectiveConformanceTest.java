package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;

/// The suite over `fabric://` with a cable that loses packets: connections that repeat only what is
/// lost, and place WRITEs when they come.
@Tag("long")
class SelectiveConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return UriWorld.registered(
                        FabricSettings.ROCE,
                        fabric -> fabric.fault(CableFault.loss(0, 0.02)),
                        it -> it.selectiveRepeat(true))
                .lacking(Feature.LOSSLESS, "a cable loses packets on purpose")
                .lacking(Feature.BYTES_IN_ORDER, "packets are placed when they come");
    }
}
