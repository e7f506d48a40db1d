package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every route of a torus and of a dragonfly, and what lanes wait for what others.
class LaneRuleTest {
    /// A lane of a port: what packets wait for.
    private record Channel(int node, int port, int lane) {}

    /// By channel, those that packets in it wait for, over the routes of all pairs of hosts.
    private static Map<Channel, Set<Channel>> waits(Topology topology) {
        Map<Channel, Set<Channel>> waits = new HashMap<>();
        int hosts = topology.hosts();
        int[][] far = far(topology);
        @Nullable LaneRule rule = topology.lanes();
        for (int from = 0; from < hosts; from++) {
            for (int to = 0; to < hosts; to++) {
                int node = topology.switchOf(from);
                int in = topology.portOf(from);
                int lane = 0;
                @Nullable Channel before = null;
                int hops = 0;
                while (node != topology.switchOf(to)) {
                    short[] ports = topology.plan(node).table().toLeaf(topology.leafOf(to));
                    assertThat(ports).hasSize(1);
                    int out = ports[0];
                    lane = rule == null ? lane : rule.lane(node, in, out, lane);
                    assertThat(lane).isIn(0, LaneRule.RAISED);
                    Channel next = new Channel(node, out, lane);
                    waits.computeIfAbsent(next, _ -> new HashSet<>());
                    if (before != null) {
                        waits.computeIfAbsent(before, _ -> new HashSet<>()).add(next);
                    }
                    before = next;
                    int end = far[node - hosts][out];
                    assertThat(end).as("port %d of %d has a cable", out, node).isNotNegative();
                    node = end / 1000;
                    in = end % 1000;
                    assertThat(++hops).isLessThan(64);
                }
            }
        }
        return waits;
    }

    /// By switch and port, 1,000 times the node at the other end and its port; -1 for none.
    private static int[][] far(Topology topology) {
        int[][] far = new int[topology.switches()][];
        for (int i = 0; i < far.length; i++) {
            far[i] = new int[topology.plan(topology.hosts() + i).ports()];
            Arrays.fill(far[i], -1);
        }
        for (int i = 0; i < topology.cables(); i++) {
            if (topology.isUplink(i)) {
                int one = topology.cable(i, 0);
                int other = topology.cable(i, 2);
                far[one - topology.hosts()][topology.cable(i, 1)] =
                        1000 * other + topology.cable(i, 3);
                far[other - topology.hosts()][topology.cable(i, 3)] =
                        1000 * one + topology.cable(i, 1);
            }
        }
        return far;
    }

    /// Whether some of them wait in a circle: what is left when those that wait for none are taken
    /// away, again and again.
    private static boolean hasCircle(Map<Channel, Set<Channel>> waits) {
        Map<Channel, Integer> open = new HashMap<>();
        Map<Channel, Set<Channel>> waiters = new HashMap<>();
        ArrayDeque<Channel> free = new ArrayDeque<>();
        waits.forEach(
                (channel, others) -> {
                    open.put(channel, others.size());
                    others.forEach(
                            it -> waiters.computeIfAbsent(it, _ -> new HashSet<>()).add(channel));
                    if (others.isEmpty()) {
                        free.add(channel);
                    }
                });
        int taken = 0;
        while (!free.isEmpty()) {
            taken++;
            for (Channel waiter : waiters.getOrDefault(free.removeFirst(), Set.of())) {
                if (open.merge(waiter, -1, Integer::sum) == 0) {
                    free.add(waiter);
                }
            }
        }
        return taken < waits.size();
    }

    private static Topology shape(String text) {
        return Shape.parse(text).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torus:5",
                "torus:8",
                "torus:4x4x4",
                "torus:5x3",
                "torus:2x3x4",
                "torus:2x2",
                "dragonfly:1x2x1",
                "dragonfly:2x4x2",
                "dragonfly:1x3x2"
            })
    void noRoutesWaitInACircle(String shape) {
        assertThat(hasCircle(waits(shape(shape)))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus:5", "torus:8", "torus:5x5", "dragonfly:2x4x2"})
    void inOneLaneTheyWould(String shape) {
        assertThat(hasCircle(waits(shape(shape).inOneLane()))).isTrue();
    }

    @Test
    void aDragonflyHasACableBetweenAnyTwoGroups() {
        Topology made = shape("dragonfly:2x4x2");
        assertThat(made.hosts()).isEqualTo(2 * 4 * 9);
        assertThat(made.cables()).isEqualTo(72 + 9 * 6 + 36);
        assertThat(made.freePorts()).isZero();
    }

    private static Optional<Deadlock> shift(Topology topology, FabricSettings settings, int by) {
        Fabric fabric = new Fabric(topology, settings);
        FlowRun run =
                new FlowRun(
                        fabric,
                        Patterns.shift(topology.hosts(), by, 4 << 20),
                        it -> it.ackRequestEvery(64).windowPackets(1 << 20));
        assertThat(run.run(1_000_000_000_000L)).isEqualTo(run.deadlock().isEmpty());
        return run.deadlock();
    }

    private static List<FabricSettings> kinds() {
        BufferSettings buffer =
                BufferSettings.fixed(50 * 4160, 25 * 4160, BufferSettings.UNLIMITED);
        return List.of(
                Anchor.ethernet().withKind(FabricKind.Ethernet.DEFAULT.withBuffer(buffer)),
                Anchor.infiniBand());
    }

    @Test
    void aRingLocksInOneLaneAndASecondLaneCuresIt() {
        for (FabricSettings settings : kinds()) {
            Topology ring = shape("torus:6");
            Deadlock found = shift(ring.inOneLane(), settings, 2).orElseThrow();
            assertThat(found.cycle()).hasSize(6);
            assertThat(shift(ring, settings, 2)).isEmpty();
        }
    }

    @Test
    void shapesCarryEveryShift() {
        for (FabricSettings settings : kinds()) {
            assertThat(shift(shape("torus:3x3x3"), settings, 13)).isEmpty();
            assertThat(shift(shape("dragonfly:1x3x1"), settings, 5)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torus:",
                "torus:1",
                "torus:4x",
                "torus:99x99",
                "dragonfly:2x4",
                "torus:2x2x2x2x2"
            })
    void aShapeThatCannotBeIsRefused(String text) {
        assertThatThrownBy(() -> Shape.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileIsNoShape() {
        assertThat(Shape.parse("torus.topo")).isEmpty();
    }

    /// What a subnet manager has written decides, as it does in a switch that knows no rule.
    @Test
    void aManagersTablesGoBeforeTheRule() {
        Topology torus = new Torus(List.of(4)).topology();
        Fabric fabric = new Fabric(torus, FabricSettings.INFINIBAND);
        InfiniBandSwitch first = (InfiniBandSwitch) fabric.node(torus.hosts());
        int out = torus.plan(torus.hosts()).table().toLeaf(torus.leafOf(1))[0];
        InfiniBandPort port = first.port(out);
        long tag = Tag.of(2, 4160, 3);
        int in = torus.portOf(0);
        assertThat(first.outLane(port, tag, in)).isIn(0, LaneRule.RAISED);

        port.levels(in, torus.plan(torus.hosts()).ports(), new LaneMap(0x1111_1111_1111_1111L));
        assertThat(first.outLane(port, tag, in)).isEqualTo(1);
    }
}
