package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeSearchTest {
    private static int uplinks(int hostsPerLeaf, double ratio) {
        return (int) Math.ceil(hostsPerLeaf / ratio - 1e-9);
    }

    /// The fewest switches, by trying every number of everything.
    private static int fewest(int hosts, int tiers, int radix, double ratio) {
        int best = Integer.MAX_VALUE;
        for (int perLeaf = 1; perLeaf < radix; perLeaf++) {
            int leaves = Math.ceilDiv(hosts, perLeaf);
            for (int above = 1; leaves > 1 && above < radix; above++) {
                for (int cables = 1; perLeaf + above * cables <= radix; cables++) {
                    if (above * cables < uplinks(perLeaf, ratio)) {
                        continue;
                    }
                    if (tiers == 2) {
                        if (leaves * cables <= radix) {
                            best = Math.min(best, leaves + above);
                        }
                        continue;
                    }
                    for (int perPod = 1; perPod < leaves; perPod++) {
                        int pods = Math.ceilDiv(leaves, perPod);
                        int cores = cores(pods, above, perPod * cables, radix);
                        if (cores > 0) {
                            best = Math.min(best, leaves + pods * above + cores);
                        }
                    }
                }
            }
        }
        return best;
    }

    /// The fewest cores above pods with so many aggregations of so many downlinks; 0 for none.
    private static int cores(int pods, int aggregations, int downlinks, int radix) {
        int best = 0;
        for (int groups = 1; groups <= aggregations; groups++) {
            int perCore = pods * aggregations / groups;
            for (int perGroup = 1; perGroup <= radix; perGroup++) {
                for (int cables = 1; downlinks + perGroup * cables <= radix; cables++) {
                    boolean isRight =
                            aggregations % groups == 0
                                    && perGroup * cables >= downlinks
                                    && perCore * cables <= radix;
                    if (isRight && (best == 0 || groups * perGroup < best)) {
                        best = groups * perGroup;
                    }
                }
            }
        }
        return best;
    }

    @ParameterizedTest
    @CsvSource({"2,4,1", "2,7,1", "2,8,1", "2,8,2", "2,12,1.5", "3,4,1", "3,5,1", "3,6,1", "3,6,2"})
    void noTreeOfTheKindHasFewerSwitches(int tiers, int radix, double ratio) {
        int perLeaf = radix - 1;
        while (perLeaf + uplinks(perLeaf, ratio) > radix) {
            perLeaf--;
        }
        int room = tiers == 2 ? perLeaf * radix : perLeaf * (radix / 2) * radix;
        for (int hosts = 2; hosts <= room; hosts++) {
            FatTree tree = FatTree.ofRadix(hosts, tiers, radix, ratio);
            Topology topology = tree.topology();
            assertThat(topology.switches())
                    .as("%s", tree)
                    .isEqualTo(fewest(hosts, tiers, radix, ratio));
            check(topology, tiers, hosts, radix, ratio);
        }
    }

    @ParameterizedTest
    @CsvSource({"100,2,64", "258,2,64", "2048,2,64", "1000,3,16", "132,3,64", "777,3,20"})
    void theTreeIsWhatWasAskedFor(int hosts, int tiers, int radix) {
        check(FatTree.ofRadix(hosts, tiers, radix, 1).topology(), tiers, hosts, radix, 1);
    }

    /// Counts cables, of the topology and not of the plan.
    private static void check(Topology made, int tiers, int hosts, int radix, double ratio) {
        assertThat(made.hosts()).isEqualTo(hosts);
        assertThat(made.toString()).startsWith("fat tree of " + tiers + " tiers");
        int nodes = hosts + made.switches();
        int[] below = new int[nodes];
        int[] above = new int[nodes];
        Map<Long, Integer> parallel = new HashMap<>();
        for (int i = 0; i < made.cables(); i++) {
            int lower = made.cable(i, 0);
            int upper = made.cable(i, 2);
            assertThat(lower).isLessThan(upper);
            above[lower]++;
            below[upper]++;
            parallel.merge(((long) lower << 32) | upper, 1, Integer::sum);
        }
        Map<String, Set<Integer>> counts = new HashMap<>();
        parallel.forEach(
                (ends, count) -> {
                    int lower = (int) (ends >> 32);
                    String tier = lower < hosts ? "host" : kind(made, lower);
                    counts.computeIfAbsent(tier, _ -> new TreeSet<>()).add(count);
                });
        assertThat(counts).hasSize(tiers);
        assertThat(counts.values()).as("parallel cables").allMatch(it -> it.size() == 1);
        int free = 0;
        for (int node = hosts; node < nodes; node++) {
            assertThat(made.plan(node).ports()).isEqualTo(radix);
            assertThat(below[node] + above[node]).isLessThanOrEqualTo(radix);
            free += radix - below[node] - above[node];
            switch (kind(made, node)) {
                case "leaf" ->
                        assertThat(above[node]).isGreaterThanOrEqualTo(uplinks(below[node], ratio));
                case "aggregation" -> assertThat(above[node]).isGreaterThanOrEqualTo(below[node]);
                default -> assertThat(above[node]).isZero();
            }
        }
        assertThat(made.freePorts()).isEqualTo(free);
        assertThat(Arrays.stream(above, 0, hosts)).allMatch(it -> it == 1);
    }

    private static String kind(Topology made, int node) {
        String name = made.plan(node).name();
        return name.contains("aggregation") ? "aggregation" : name.substring(0, name.indexOf(' '));
    }

    @Test
    void ofTreesWithEquallyManySwitchesOneWithFullLeavesIsTaken() {
        FatTree tree = FatTree.ofRadix(256, 64, 2);
        assertThat(tree.pod()).isEqualTo(new FatTree.Pod(32, 8, 2, 8));
    }

    @Test
    void theFewestTiersThatHaveRoomAreTaken() {
        assertThat(FatTree.ofRadix(64, 64, 1)).hasToString("single switch");
        assertThat(FatTree.ofRadix(65, 64, 1)).hasToString("fat tree of 2 tiers");
        assertThat(FatTree.ofRadix(2048, 64, 1)).hasToString("fat tree of 2 tiers");
        assertThat(FatTree.ofRadix(2049, 64, 1)).hasToString("fat tree of 3 tiers");
    }
}
