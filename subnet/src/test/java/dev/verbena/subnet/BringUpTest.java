package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A subnet that nothing has managed yet is brought up.
class BringUpTest {
    private static void allIsUp(Lab lab, SweepReport report) {
        PlainPlane plane = lab.plane;
        assertThat(report.failures()).isZero();
        assertThat(report.isFull()).isTrue();
        assertThat(report.hosts()).isEqualTo(plane.hosts());
        assertThat(report.switches()).isEqualTo(plane.nodes() - plane.hosts());
        assertThat(report.links()).isEqualTo(plane.cables.size());
        for (int[] cable : plane.cables) {
            assertThat(lab.subnet.portState(cable[0], cable[1])).isEqualTo(4);
            assertThat(lab.subnet.portState(cable[2], cable[3])).isEqualTo(4);
        }
        Walk walk = new Walk(lab);
        for (int from = 0; from < plane.hosts(); from++) {
            for (int to = 0; to < plane.nodes(); to++) {
                assertThat(walk.hops(from, to)).as("hops %d to %d", from, to).isNotNegative();
            }
        }
        for (int from = plane.hosts(); from < plane.nodes(); from++) {
            for (int to = 0; to < plane.nodes(); to++) {
                assertThat(walk.hops(from, to)).as("hops %d to %d", from, to).isNotNegative();
            }
        }
    }

    private static void isMinimal(Lab lab) {
        Walk walk = new Walk(lab);
        for (int from = 0; from < lab.plane.hosts(); from++) {
            int[] distance = walk.distances(from);
            for (int to = 0; to < lab.plane.hosts(); to++) {
                assertThat(walk.hops(from, to)).isEqualTo(Math.max(0, distance[to] - 2));
            }
        }
    }

    @Test
    void aFatTreeOfTwoTiersComesUpWithTheShortestRoutesAndNoCreditLoop() {
        Lab lab = new Lab(Shapes.twoTiers(4, 6, 4, 1), ManagerSettings.DEFAULT);

        allIsUp(lab, lab.bringUp());

        isMinimal(lab);
        assertThat(lab.manager.routing().engine()).isEqualTo("fat-tree");
        assertThat(new Walk(lab).hasCreditLoop()).isFalse();
    }

    @Test
    void aFatTreeOfThreeTiersComesUpWithTheShortestRoutesAndNoCreditLoop() {
        Lab lab = new Lab(Shapes.threeTiers(3, 6), ManagerSettings.DEFAULT);

        allIsUp(lab, lab.bringUp());

        isMinimal(lab);
        assertThat(new Walk(lab).hasCreditLoop()).isFalse();
    }

    @Test
    void aRingComesUpByUpAndDownRoutesBecauseItIsNoFatTree() {
        Lab lab = new Lab(Shapes.ring(7, 2), ManagerSettings.DEFAULT);

        allIsUp(lab, lab.bringUp());

        assertThat(lab.manager.routing().engine()).isEqualTo("up-down");
        assertThat(lab.manager.routing().refusals()).hasSize(1);
        assertThat(lab.manager.routing().refusals().getFirst())
                .startsWith("fat-tree: port ")
                .endsWith("in the same tier");
        assertThat(new Walk(lab).hasCreditLoop()).isFalse();
    }

    @Test
    void shortestRoutesOfARingMakeACreditLoopWhichUpAndDownDoNot() {
        ManagerSettings settings = ManagerSettings.DEFAULT.withEngines(new MinHopEngine());
        Lab lab = new Lab(Shapes.ring(7, 2), settings);

        allIsUp(lab, lab.bringUp());

        isMinimal(lab);
        assertThat(lab.manager.routing().engine()).isEqualTo("min-hop");
        assertThat(new Walk(lab).hasCreditLoop()).isTrue();
    }

    @Test
    void aRefusedFabricHasNoActivePortAndTheReportSaysWhy() {
        ManagerSettings settings = ManagerSettings.DEFAULT.withEngines(new FatTreeEngine());
        Lab lab = new Lab(Shapes.ring(5, 1), settings);

        SweepReport report = lab.bringUp();

        assertThat(report.routing().isRefused()).isTrue();
        assertThat(report.routing().engine()).isEmpty();
        assertThat(report.blocks()).isZero();
        for (int[] cable : lab.plane.cables) {
            assertThat(lab.subnet.portState(cable[0], cable[1])).isNotEqualTo(4);
        }
    }

    @Test
    void givenRootsDecideWhatIsUp() {
        PlainPlane plane = Shapes.ring(5, 1);
        long root = plane.nodeGuid(7);
        ManagerSettings settings =
                ManagerSettings.DEFAULT.withEngines(new UpDownEngine(List.of(root)));
        Lab lab = new Lab(plane, settings);

        allIsUp(lab, lab.bringUp());

        assertThat(lab.manager.routing().note()).isEqualTo("1 given roots");
        // Switches 5 and 9 are neighbours and the farthest from the root: packets between them take
        // the short link, which goes down for one and up for the other.
        assertThat(new Walk(lab).hops(0, 4)).isOne();
        assertThat(new Walk(lab).hops(1, 3)).isEqualTo(2);
    }

    @Test
    void rootsThatDoNotJoinAllHostsAreRefused() {
        PlainPlane plane = Shapes.twoTiers(1, 4, 2, 1);
        plane.plug(4, false);
        plane.plug(9, false);
        List<Long> roots = List.of(plane.nodeGuid(8), plane.nodeGuid(9));
        Lab lab = new Lab(plane, ManagerSettings.DEFAULT.withEngines(new UpDownEngine(roots)));

        lab.bringUp();

        assertThat(lab.manager.routing().refusals().getFirst())
                .startsWith("up-down: no switch is above both switch 0x");
    }

    @Test
    void twoHostsWithoutASwitchComeUp() {
        PlainPlane plane = new PlainPlane(2);
        plane.connect(0, 1, 1, 1);

        Lab lab = new Lab(plane, ManagerSettings.DEFAULT);
        SweepReport report = lab.bringUp();

        assertThat(report.hosts()).isEqualTo(2);
        assertThat(lab.subnet.portState(0, 1)).isEqualTo(4);
        assertThat(lab.subnet.portState(1, 1)).isEqualTo(4);
        assertThat(lab.subnet.lid(0)).isNotZero().isNotEqualTo(lab.subnet.lid(1));
    }

    @Test
    void aHostWithoutACableIsUpAlone() {
        PlainPlane plane = new PlainPlane(1);

        SweepReport report = new Lab(plane, ManagerSettings.DEFAULT).bringUp();

        assertThat(report.hosts()).isOne();
        assertThat(report.links()).isZero();
    }

    @Test
    void aCableFromASwitchToItselfDoesNoHarm() {
        PlainPlane joined = new PlainPlane(2);
        int one = joined.addSwitch(8);
        joined.connect(0, 1, one, 1);
        joined.connect(1, 1, one, 2);
        joined.connect(one, 5, one, 6);
        Lab lab = new Lab(joined, ManagerSettings.DEFAULT);

        SweepReport report = lab.bringUp();

        assertThat(report.failures()).isZero();
        assertThat(report.routing().engine()).isEqualTo("fat-tree");
        assertThat(new Walk(lab).hops(0, 1)).isZero();
        assertThat(new Walk(lab).hops(1, 0)).isZero();
    }

    @Test
    void hostsHaveTheirLidsInTheOrderOfTheirPortsAndSwitchesComeAfterThem() {
        Lab lab = new Lab(Shapes.threeTiers(2, 4), ManagerSettings.DEFAULT);

        lab.bringUp();

        for (int node = 0; node < lab.plane.nodes(); node++) {
            assertThat(lab.subnet.lid(node)).isEqualTo(node + 1);
        }
    }

    @Test
    void lidsStayWhenAnotherManagerTakesOver() {
        Lab lab = new Lab(Shapes.twoTiers(2, 3, 2, 1), ManagerSettings.DEFAULT);
        PlainManagerLids.set(lab, 100);

        allIsUp(lab, lab.bringUp());
        for (int node = 0; node < lab.plane.nodes(); node++) {
            assertThat(lab.subnet.lid(node)).isEqualTo(100 + node);
        }
        lab.replace(ManagerSettings.DEFAULT);
        SweepReport second = lab.bringUp();

        assertThat(second.failures()).isZero();
        for (int node = 0; node < lab.plane.nodes(); node++) {
            assertThat(lab.subnet.lid(node)).isEqualTo(100 + node);
        }
    }

    @Test
    void aLidThatTwoNodesReportIsGivenToOne() {
        Lab lab = new Lab(Shapes.twoTiers(2, 3, 2, 1), ManagerSettings.DEFAULT);
        PlainManagerLids.setAll(lab, 7);

        allIsUp(lab, lab.bringUp());

        Set<Integer> lids = new HashSet<>();
        for (int node = 0; node < lab.plane.nodes(); node++) {
            assertThat(lids.add(lab.subnet.lid(node))).isTrue();
        }
        assertThat(lids).contains(7);
    }

    @Test
    void aReportedLidOfAHugeNumberIsNotKept() {
        Lab lab = new Lab(Shapes.twoTiers(2, 2, 1, 1), ManagerSettings.DEFAULT);
        PlainManagerLids.setAll(lab, 0xBFFF);

        allIsUp(lab, lab.bringUp());

        for (int node = 0; node < lab.plane.nodes(); node++) {
            assertThat(lab.subnet.lid(node)).isLessThan(64);
        }
    }

    @Test
    void routesAreTheSameInWhateverOrderTasksRun() {
        PlainPlane plane = Shapes.threeTiers(3, 4);
        Lab lab = new Lab(plane, ManagerSettings.DEFAULT);
        lab.bringUp();
        List<Integer> before = tables(lab);
        lab.manager =
                new SubnetManager(
                        ManagerSettings.DEFAULT,
                        (tasks, task) ->
                                IntStream.range(0, tasks)
                                        .boxed()
                                        .sorted(Comparator.comparingInt(i -> i * 7919 % tasks))
                                        .forEach(task::accept));

        lab.bringUp();

        assertThat(tables(lab)).isEqualTo(before);
    }

    private static List<Integer> tables(Lab lab) {
        List<Integer> all = new ArrayList<>();
        for (int node = lab.plane.hosts(); node < lab.plane.nodes(); node++) {
            for (int lid = 0; lid < 200; lid++) {
                all.add(lab.subnet.forwardingPort(node, lid));
            }
        }
        return all;
    }

    @Test
    void everyUplinkOfALeafHasAsManyHostsAsTheOthers() {
        Lab lab = new Lab(Shapes.threeTiers(4, 8), ManagerSettings.DEFAULT);

        lab.bringUp();

        PlainPlane plane = lab.plane;
        for (int node = plane.hosts(); node < plane.hosts() + 64; node++) {
            boolean isLeaf = node < plane.hosts() + 32;
            int[] loads = new int[9];
            for (int host = 0; host < plane.hosts(); host++) {
                loads[lab.subnet.forwardingPort(node, lab.subnet.lid(host))]++;
            }
            // 124 hosts of a leaf are elsewhere, 112 of an aggregation.
            for (int port = 5; port <= 8; port++) {
                assertThat(loads[port]).isEqualTo(isLeaf ? 31 : 28);
            }
        }
    }
}
