package dev.verbena.virtual;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import dev.verbena.testkit.Seed;
import org.junit.jupiter.api.Tag;

@Tag("long")
class FaultyConformanceTest implements ConformanceSuite {
    private static final Seed SEED = Seed.forTest("FaultyConformanceTest", 11);

    @Override
    public World world() {
        return VirtualConformanceTest.world(
                        VirtualSettings.DEFAULT
                                .withSeed(SEED.value())
                                .withLoss(0.02)
                                .withReorder(0.05)
                                .withDuplicate(0.01)
                                .withCorrupt(0.002))
                .lacking(Feature.LOSSLESS, "this network loses packets on purpose");
    }
}
