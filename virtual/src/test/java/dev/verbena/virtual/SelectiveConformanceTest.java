package dev.verbena.virtual;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import dev.verbena.testkit.Seed;
import org.junit.jupiter.api.Tag;

/// The suite over connections that repeat only what is lost, on a network that loses packets.
@Tag("long")
class SelectiveConformanceTest implements ConformanceSuite {
    private static final Seed SEED = Seed.forTest("SelectiveConformanceTest", 5);

    @Override
    public World world() {
        return VirtualConformanceTest.world(
                        VirtualSettings.DEFAULT
                                .withSeed(SEED.value())
                                .withLoss(0.02)
                                .withReorder(0.05)
                                .withDuplicate(0.01)
                                .withCorrupt(0.002),
                        options -> options.selectiveRepeat(true))
                .lacking(Feature.LOSSLESS, "this network loses packets on purpose")
                .lacking(Feature.BYTES_IN_ORDER, "packets are placed when they come");
    }
}
