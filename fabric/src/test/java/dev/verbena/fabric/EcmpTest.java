package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a hash makes of flows, by the choosers of the switches themselves.
class EcmpTest {
    private static final int SEEDS = 1000;

    /// The part of the rate that n flows have on n uplinks, mean and standard error of it.
    record Share(double mean, double error) {
        /// Each uplink has no flow with the chance (1 - 1/n)^n, and is idle then.
        static double expected(int flows) {
            return 1 - Math.pow(1 - 1.0 / flows, flows);
        }
    }

    static Share share(int flows) {
        Topology tree = FatTree.twoTiers(flows, 2, flows).topology();
        int[] way = new int[8];
        double sum = 0;
        double squares = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            FlowPaths paths = new FlowPaths(tree, FabricSettings.ROCE.withSeed(seed));
            SplittableRandom random = new SplittableRandom(seed);
            Set<Integer> used = new HashSet<>();
            for (int from = 0; from < flows; from++) {
                int to = from + flows;
                int entropy =
                        FlowPaths.entropy(from, to, random.nextInt(1 << 24), random.nextInt(99));
                assertThat(paths.links(from, to, entropy, way)).isEqualTo(4);
                used.add(way[1]);
            }
            double share = (double) used.size() / flows;
            sum += share;
            squares += share * share;
        }
        double mean = sum / SEEDS;
        return new Share(mean, Math.sqrt((squares / SEEDS - mean * mean) / SEEDS));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void hashedFlowsHaveTheThroughputOfBallsInBins(int flows) {
        Share seen = share(flows);
        assertThat(seen.mean())
                .isBetween(
                        Share.expected(flows) - 3 * seen.error(),
                        Share.expected(flows) + 3 * seen.error());
    }

    /// Of the ports of aggregations that lead up, those that are used by many flows between pods.
    static double secondTier(boolean isOneHash) {
        FabricKind.Ethernet kind =
                FabricKind.Ethernet.DEFAULT.withRouting(Routing.ECMP.withOneHash(isOneHash));
        Topology tree = Anchor.tree128();
        FlowPaths paths = new FlowPaths(tree, FabricSettings.ROCE.withKind(kind));
        SplittableRandom random = new SplittableRandom(7);
        Set<Integer> used = new HashSet<>();
        int[] way = new int[8];
        for (int i = 0; i < 20_000; i++) {
            int from = random.nextInt(128);
            int to = (from + 16 + random.nextInt(96)) % 128;
            assertThat(paths.links(from, to, random.nextInt(1 << 15), way)).isEqualTo(6);
            used.add(way[2]);
        }
        return used.size() / 128.0;
    }

    @Test
    void oneHashInAllSwitchesLeavesAQuarterOfTheSecondTier() {
        assertThat(secondTier(true)).isEqualTo(0.25);
    }

    @Test
    void aSeedForEachSwitchUsesAllOfIt() {
        assertThat(secondTier(false)).isEqualTo(1);
    }

    @Test
    void weightedEcmpGivesPortsSharesByTheirRates() {
        Wiring wiring = new Wiring("uneven");
        for (String name : List.of("left", "right", "fast", "slow")) {
            wiring.addSwitch(name, 4);
        }
        wiring.addHost("a", 0, 0);
        wiring.addHost("b", 1, 0);
        CablePlan slow = CablePlan.USUAL.withRate(Rate.gbits(100));
        for (int leaf = 0; leaf < 2; leaf++) {
            wiring.join(leaf, 1, 2, leaf);
            wiring.join(leaf, 2, 3, leaf, slow);
        }
        FabricKind.Ethernet kind =
                FabricKind.Ethernet.DEFAULT.withSpread(FabricKind.Spread.WEIGHTED);
        FlowPaths paths = new FlowPaths(wiring.topology(), FabricSettings.ROCE.withKind(kind));
        int[] way = new int[8];
        int fast = 0;
        int flows = 1 << 15;
        for (int entropy = 0; entropy < flows; entropy++) {
            assertThat(paths.links(0, 1, entropy, way)).isEqualTo(4);
            fast += paths.name(way[1]).equals("left to fast") ? 1 : 0;
        }
        // Four fifths of the rate; the standard deviation is sqrt(0.8 * 0.2 / 32768).
        assertThat((double) fast / flows).isBetween(0.8 - 3 * 0.0022, 0.8 + 3 * 0.0022);
    }
}
