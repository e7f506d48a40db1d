package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Routes are followed from switch to switch and flows are counted on every link; nothing is
/// simulated.
class FixedRoutesTest {
    /// Links of a topology: what a port of a switch leads to.
    private static final class Links {
        private final Topology topology;
        private final int[][] next;

        /// By switch and port, flows that leave there.
        private final int[][] flows;

        Links(Topology topology) {
            this.topology = topology;
            int hosts = topology.hosts();
            next = new int[topology.switches()][];
            flows = new int[topology.switches()][];
            for (int i = 0; i < next.length; i++) {
                next[i] = new int[topology.plan(hosts + i).ports()];
                flows[i] = new int[next[i].length];
            }
            for (int i = 0; i < topology.cables(); i++) {
                int one = topology.cable(i, 0);
                int other = topology.cable(i, 2);
                if (one >= hosts) {
                    next[one - hosts][topology.cable(i, 1)] = other;
                }
                next[other - hosts][topology.cable(i, 3)] = one;
            }
        }

        void clear() {
            for (int[] ports : flows) {
                Arrays.fill(ports, 0);
            }
        }

        /// Adds a flow on every link from a host to another one.
        void send(int from, int to) {
            int hosts = topology.hosts();
            int at = topology.switchOf(from);
            for (int hop = 0; at != to; hop++) {
                assertThat(hop).as("host %d to %d arrives", from, to).isLessThan(6);
                int port = topology.fixedRoutes().port(at, to);
                flows[at - hosts][port]++;
                at = next[at - hosts][port];
            }
        }

        void shift(int by) {
            clear();
            int hosts = topology.hosts();
            for (int from = 0; from < hosts; from++) {
                send(from, (from + by) % hosts);
            }
        }

        int most() {
            int most = 0;
            for (int[] ports : flows) {
                most = Math.max(most, IntStream.of(ports).max().orElse(0));
            }
            return most;
        }

        /// Switches that send more than one flow by a port.
        List<Integer> crowded() {
            List<Integer> found = new ArrayList<>();
            for (int i = 0; i < flows.length; i++) {
                if (IntStream.of(flows[i]).anyMatch(it -> it > 1)) {
                    found.add(i);
                }
            }
            return found;
        }
    }

    /// Trees of two and three tiers, of even and of odd sizes.
    static Stream<FatTree> trees() {
        List<FatTree> all = new ArrayList<>();
        for (int radix : new int[] {4, 6, 7, 8, 12, 16}) {
            for (int tiers = 2; tiers <= 3; tiers++) {
                int room = tiers == 2 ? radix / 2 * radix : radix / 2 * (radix / 2) * radix;
                for (int hosts : new int[] {2, 3, 5, 8, 9, 12, 15, 16, 24, 27, 31, 36, 48, 60}) {
                    if (hosts <= room) {
                        all.add(FatTree.ofRadix(hosts, tiers, radix, 1));
                    }
                }
                all.add(FatTree.ofRadix(Math.min(room, 250), tiers, radix, 1));
            }
        }
        all.add(FatTree.ofRadix(100, 64, 1));
        all.add(FatTree.ofRadix(101, 64, 1));
        all.add(FatTree.ofRadix(132, 3, 64, 1));
        all.add(FatTree.ofRadix(128, 3, 8, 1));
        all.add(FatTree.threeTiers(4, 8));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("trees")
    void everyShiftHasAPathOfItsOwnForEachFlow(FatTree tree) {
        Topology topology = tree.topology();
        Links links = new Links(topology);
        int perPod = tree.pod().hostsPerLeaf() * tree.pod().leaves();
        for (int by = 1; by < tree.hosts(); by++) {
            links.shift(by);
            List<Integer> crowded = links.crowded();
            if (tree.isEven()) {
                assertThat(crowded).as("%s, shift by %d", topology, by).isEmpty();
                continue;
            }
            // Only where destinations wrap from the last host to the first, and then two at most.
            assertThat(links.most()).as("%s, shift by %d", topology, by).isLessThanOrEqualTo(2);
            int wraps = tree.hosts() - by;
            int leaf = wraps / tree.pod().hostsPerLeaf();
            int pod = wraps / perPod;
            for (int node : crowded) {
                boolean isThere =
                        node < tree.leafCount()
                                ? node == leaf
                                : (node - tree.leafCount()) / tree.pod().aggregations() == pod;
                assertThat(isThere).as("%s, shift by %d, switch %d", topology, by, node).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("trees")
    void noTwoHostsShareACableDown(FatTree tree) {
        Topology topology = tree.topology();
        Links links = new Links(topology);
        int hosts = tree.hosts();
        BitSet used = new BitSet();
        int stride = topology.switches();
        for (int to = 0; to < hosts; to++) {
            links.clear();
            for (int from = 0; from < hosts; from += tree.pod().hostsPerLeaf()) {
                if (from != to) {
                    links.send(from, to);
                }
            }
            for (int i = 0; i < links.flows.length; i++) {
                for (int port = 0; port < links.flows[i].length; port++) {
                    // Switches are numbered from the leaves to the top.
                    boolean isDown = links.next[i][port] < hosts + i;
                    if (isDown && links.flows[i][port] > 0) {
                        int cable = port * stride + i;
                        assertThat(used.get(cable)).as("%s, to host %d", topology, to).isFalse();
                        used.set(cable);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"256,2,64,2", "48,2,16,3", "96,3,12,2", "48,3,8,3"})
    void onAnOversubscribedTreeAShiftSharesUplinksEvenly(
            int hosts, int tiers, int radix, double ratio) {
        FatTree tree = FatTree.ofRadix(hosts, tiers, radix, ratio);
        assertThat(tree.isEven()).isTrue();
        Links links = new Links(tree.topology());
        int fair = Math.ceilDiv(tree.pod().hostsPerLeaf(), tree.pod().uplinks());
        assertThat(fair).isGreaterThan(1);
        for (int by = 1; by < hosts; by++) {
            links.shift(by);
            assertThat(links.most()).as("shift by %d", by).isLessThanOrEqualTo(fair);
        }
    }

    @Test
    void aTreeReadFromAFileHasTheSameRoutes() {
        for (FatTree tree : List.of(FatTree.ofRadix(100, 64, 1), FatTree.ofRadix(132, 3, 64, 1))) {
            Topology before = tree.topology();
            Topology after = Netfile.parse("again", Netfile.print(before).lines().toList());
            for (int node = before.hosts(); node < before.hosts() + before.switches(); node++) {
                for (int host = 0; host < before.hosts(); host++) {
                    assertThat(after.fixedRoutes().port(node, host))
                            .isEqualTo(before.fixedRoutes().port(node, host));
                }
            }
        }
    }
}
