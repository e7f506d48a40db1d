package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Credits where a buffer holds one packet only.
class CreditTest {
    private static final long US = 1_000_000;

    /// A packet of 8 bytes takes a block of 66, and one of 4,096 bytes takes 65: the one block that
    /// comes free is too few to be told of otherwise.
    @Test
    void aNeighbourWithTooFewCreditsForItsNextPacketIsToldOfEachOne() {
        FabricKind.InfiniBand kind = (FabricKind.InfiniBand) FabricSettings.INFINIBAND.kind();
        Fabric fabric =
                new Fabric(
                        FatTree.single(2).topology(),
                        FabricSettings.INFINIBAND.withKind(kind.withBufferBlocks(66)));
        FlowRun run =
                new FlowRun(
                        fabric,
                        List.of(
                                Flow.of(0, 1, 8),
                                Flow.of(0, 1, 8).startingAt(5 * US),
                                Flow.of(0, 1, 4096).startingAt(10 * US)),
                        _ -> {});
        assertThat(run.run(1_000 * US)).isTrue();
        assertThat(run.endPs(2)).isLessThan(20 * US);
    }
}
