package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;

/// The suite over `fabric://` with packets that are sprayed: connections that repeat only what is
/// lost, and place WRITEs when they come.
@Tag("long")
class SelectiveConformanceTest implements ConformanceSuite {
    /// Packets that may overtake another on their ways.
    private static final int REORDER = 64;

    @Override
    public World world() {
        FabricKind.Ethernet kind =
                FabricKind.Ethernet.DEFAULT.withSpread(FabricKind.Spread.SPRAY);
        return UriWorld.registered(
                        FabricSettings.ROCE.withKind(kind),
                        it -> it.selectiveRepeat(true).reorder(REORDER))
                .lacking(Feature.BYTES_IN_ORDER, "packets are placed when they come");
    }
}
