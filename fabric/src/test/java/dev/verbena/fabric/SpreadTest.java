package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Four flows leave each of 32 leaves, which has four ways up.
class SpreadTest {
    private static final int PACKETS = 64;
    private static final int HOSTS = 128;
    private static final int PER_LEAF = 4;
    private static final int LEAVES = HOSTS / PER_LEAF;

    /// By leaf, packets on each of its ways up.
    private static long[][] loads(FabricKind.Spread spread, long seed) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) Anchor.ethernet().kind();
        FabricSettings settings =
                Anchor.ethernet().withKind(kind.withSpread(spread)).withSeed(seed);
        Fabric fabric = new Fabric(Anchor.tree128(), settings);
        Stream stream = new Stream(fabric);
        for (int host = 0; host < HOSTS; host++) {
            // To the same place in the next pod.
            stream.send(host, (host + 16) % HOSTS, 0, PACKETS, 0);
        }
        fabric.run(100_000_000);
        long[][] loads = new long[LEAVES][PER_LEAF];
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            EthernetSwitch node = (EthernetSwitch) fabric.node(HOSTS + leaf);
            for (int way = 0; way < PER_LEAF; way++) {
                loads[leaf][way] = node.port(PER_LEAF + way).sentPackets();
            }
            assertThat(Arrays.stream(loads[leaf]).sum()).isEqualTo(PER_LEAF * PACKETS);
        }
        return loads;
    }

    @Test
    void hashedFlowsCollideAsBallsInBinsDo() {
        int collisions = 0;
        int runs = 10;
        for (int seed = 1; seed <= runs; seed++) {
            for (long[] ways : loads(FabricKind.Spread.ECMP, seed)) {
                for (long load : ways) {
                    assertThat(load % PACKETS).as("a flow takes one way").isZero();
                }
                collisions += Arrays.stream(ways).max().orElse(0) > PACKETS ? 1 : 0;
            }
        }

        // Four balls fall into four different bins of four 4! / 4^4 = 3/32 of the time, so 290 of
        // 320 leaves collide; the standard deviation is 5.2.
        assertThat(collisions).isBetween(270, 310);
    }

    @Test
    void sprayedPacketsLoadAllWaysAlike() {
        for (long[] ways : loads(FabricKind.Spread.SPRAY, 1)) {
            assertThat(ways).containsOnly(PACKETS);
        }
    }
}
