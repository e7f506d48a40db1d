package dev.verbena.ibverbs;

import dev.verbena.conformance.hostile.HostileCampaign;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile programs over the driver in this process, which also notes what a library in C would not
/// survive.
@Tag("inprocess")
@Tag("long")
class InProcessHostileTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingLeaksCrashesHangsOrFailsInSilence(boolean isSoftRoce)
            throws InterruptedException, IOException {
        try (InProcessWorld world = new InProcessWorld(isSoftRoce)) {
            HostileCampaign.ofNic(
                            isSoftRoce ? "ibverbs in process, Soft-RoCE" : "ibverbs in process",
                            it -> world.open(InProcessWorld.NAMES.get(it)))
                    .withoutFiles()
                    .run(10);
        }
    }
}
