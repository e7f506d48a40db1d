package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

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
}
