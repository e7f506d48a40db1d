package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Two leaves and four spines; a cable goes while packets use it.
class RepairTest {
    private static final int PACKETS = 2000;
    private static final long AFTER_PS = 10_000_000;

    /// In which a full queue leaves.
    private static final long QUEUE_PS = 60_000_000;

    private static List<FabricSettings> kinds(long repairPs) {
        return List.of(
                AdaptiveRoutingTest.roce(Routing.ECMP.withRepairPs(repairPs)),
                AdaptiveRoutingTest.roce(AdaptiveRoutingTest.adaptive().withRepairPs(repairPs)),
                AdaptiveRoutingTest.infiniBand(Routing.FIXED.withRepairPs(repairPs)),
                AdaptiveRoutingTest.infiniBand(
                        AdaptiveRoutingTest.adaptive().withRepairPs(repairPs)));
    }

    /// Packets that were lost by two times after a cable of one of the leaves has gone.
    ///
    /// @param soon when switches know, and what waited at the cable has left
    private record Lost(long soon, long inAll) {}

    private static Lost lost(FabricSettings settings, int leaf) {
        Topology tree = FatTree.twoTiers(4, 2, 4).topology();
        Fabric fabric = new Fabric(tree, settings);
        Stream stream = new Stream(fabric);
        for (int host = 0; host < 4; host++) {
            stream.send(host, host + 4, 0, PACKETS, 0);
        }
        int cable = FaultText.parse("leaf-%d:4=down".formatted(leaf), tree, 1).getFirst().cable();
        fabric.fault(CableFault.down(cable, 20_000_000, CableFault.FOR_EVER));
        fabric.run(20_000_000 + AFTER_PS + QUEUE_PS);
        long soon = lost(fabric);
        fabric.run(Long.MAX_VALUE);
        return new Lost(soon, lost(fabric));
    }

    private static long lost(Fabric fabric) {
        FabricCounts counts = fabric.counts();
        return counts.lost() + counts.drops() + fabric.unreachablePackets();
    }

    @Test
    void nothingIsLostOnceSwitchesAvoidTheCable() {
        for (FabricSettings settings : kinds(AFTER_PS)) {
            // Behind the far leaf's cable the spine has no other way: the near leaf has to know.
            for (int leaf = 0; leaf < 2; leaf++) {
                Lost lost = lost(settings, leaf);
                assertThat(lost.inAll()).isPositive().isEqualTo(lost.soon());
            }
        }
    }

    @Test
    void withoutRepairPacketsAreLostToTheEnd() {
        for (FabricSettings settings : kinds(Routing.NO_REPAIR)) {
            Lost lost = lost(settings, 0);
            assertThat(lost.inAll()).isGreaterThan(lost.soon() + PACKETS / 4);
        }
    }

    @Test
    void switchesThatKnowSoonerLoseLess() {
        for (int i = 0; i < 4; i++) {
            assertThat(lost(kinds(0).get(i), 0).inAll())
                    .isLessThan(lost(kinds(AFTER_PS).get(i), 0).inAll());
        }
    }

    @Test
    void aCableThatIsBackIsUsedAgain() {
        for (FabricSettings settings : kinds(0)) {
            Topology tree = FatTree.twoTiers(4, 2, 4).topology();
            Fabric fabric = new Fabric(tree, settings);
            Stream stream = new Stream(fabric);
            for (int host = 0; host < 4; host++) {
                for (int again = 0; again < 4; again++) {
                    stream.send(host, host + 4, 0, PACKETS / 8, 40_000_000);
                }
            }
            int cable = FaultText.parse("leaf-0:4=down", tree, 1).getFirst().cable();
            fabric.fault(CableFault.down(cable, 0, 20_000_000));
            fabric.run(Long.MAX_VALUE);
            assertThat(fabric.node(8).port(4).sentPackets()).isPositive();
            assertThat(lost(fabric)).isZero();
        }
    }
}
