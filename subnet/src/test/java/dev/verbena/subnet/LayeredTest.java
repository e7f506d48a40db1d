package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fabric.manage.Plane;
import dev.verbena.testkit.Seed;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Shortest routes in lanes, on tori: damaged before they come up, and after. The lanes are those
/// that packets take by the tables of switches, with the service levels that subnet administration
/// names.
class LayeredTest {
    private static final long FABRICS = 60;
    private static final long TRAPS_NS = 5_000_000_000L;
    private static final ManagerSettings LAYERED =
            ManagerSettings.DEFAULT
                    .withEngines(new LayeredEngine(), new UpDownEngine())
                    .withSweepNs(0);

    private int layered;
    private int refused;
    private int loopsInOneLane;
    private int lanesMax;

    @Test
    void noLaneOfADamagedTorusHasACreditLoop() {
        SplittableRandom all = Seed.forTest("damaged tori", 0x70B05).random();
        long count = Seed.campaign(FABRICS);
        for (long i = 0; i < count; i++) {
            long own = all.nextLong();
            try {
                torus(new SplittableRandom(own));
            } catch (AssertionError e) {
                throw new AssertionError("torus %d, its own seed %d".formatted(i, own), e);
            }
        }
        System.out.printf(
                "damaged tori: %d states in lanes, %d at most, %d with loops in one lane;"
                        + " %d refused%n",
                layered, lanesMax, loopsInOneLane, refused);
        assertThat(layered).isPositive();
        // A few fabrics need not be of every kind.
        if (count >= FABRICS / 4) {
            assertThat(refused).isPositive();
            assertThat(loopsInOneLane).isPositive();
        }
    }

    private void torus(SplittableRandom random) {
        int hosts = 1 + random.nextInt(2);
        PlainPlane plane =
                random.nextBoolean()
                        ? Shapes.torus(hosts, 3 + random.nextInt(4), 3 + random.nextInt(4))
                        : Shapes.torus(1, 3, 2 + random.nextInt(2), 3 + random.nextInt(2));
        int lanes = List.of(2, 4, 8, 15).get(random.nextInt(4));
        plane.lanes(lanes);
        damage(plane, random, cable -> plane.plug(cable, false));
        SaLab sa = new SaLab(plane, LAYERED);
        check(sa, lanes);
        damage(plane, random, cable -> sa.lab.plug(cable, !plane.isIn(cable)));
        sa.lab.pass(plane.nowNs() + TRAPS_NS);
        check(sa, lanes);
    }

    private interface Change {
        void of(int cable);
    }

    private static void damage(PlainPlane plane, SplittableRandom random, Change change) {
        int first = plane.hosts();
        for (int i = random.nextInt(1 + plane.cables.size() / 8); i > 0; i--) {
            change.of(first + random.nextInt(plane.cables.size() - first));
        }
    }

    private void check(SaLab sa, int lanes) {
        PlainPlane plane = sa.lab.plane;
        RoutingReport report = sa.lab.manager.routing();
        Walk walk = new Walk(sa.lab);
        boolean isLayered = report.engine().equals("layered");
        assertThat(report.engine()).isIn("layered", "up-down");
        if (!isLayered) {
            refused++;
            assertThat(report.refusals().getFirst())
                    .startsWith("layered: routes need more lanes than the " + Math.min(lanes, 8))
                    .contains(" of port ")
                    .contains("of switch 0x");
            assertThat(report.lanes()).isEqualTo(1);
            assertThat(walk.hasCreditLoop()).isFalse();
            return;
        }
        layered++;
        lanesMax = Math.max(lanesMax, report.lanes());
        assertThat(report.lanes()).isBetween(1, Math.min(lanes, 8));
        assertThat(sa.lab.last().failures()).as("%s", sa.lab.last()).isZero();
        reachesAllByShortestRoutes(walk, plane);
        Map<Integer, Integer> levels = levels(sa);
        assertThat(
                        walk.hasCreditLoop(
                                (from, to) ->
                                        levels.getOrDefault(sa.lid(from) << 16 | sa.lid(to), -1)))
                .isFalse();
        loopsInOneLane += walk.hasCreditLoop() ? 1 : 0;
        boolean[] present = PlainRoutes.present(plane);
        for (int host = 0; host < plane.hosts(); host++) {
            if (present[host]) {
                assertThat(levelToManager(sa, host))
                        .isEqualTo(levels.getOrDefault(sa.lid(host) << 16 | sa.lid(0), 0));
            }
        }
    }

    private static void reachesAllByShortestRoutes(Walk walk, PlainPlane plane) {
        boolean[] present = PlainRoutes.present(plane);
        for (int to = 0; to < plane.hosts(); to++) {
            int[] distance = walk.distances(to);
            for (int from = 0; from < plane.hosts(); from++) {
                if (from != to && present[from] && present[to]) {
                    assertThat(walk.hops(from, to)).isEqualTo(distance[from] - 2);
                }
            }
        }
    }

    /// By LIDs of both ends, the levels of all paths that subnet administration knows.
    private static Map<Integer, Integer> levels(SaLab sa) {
        boolean[] present = PlainRoutes.present(sa.lab.plane);
        int asker = 1;
        while (!present[asker]) {
            asker++;
        }
        SaAnswer answer = sa.ask(asker, MadMethod.GET_TABLE, SaRecord.PATH, SaLab.blank(), 0);
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        Map<Integer, Integer> levels = new HashMap<>();
        for (MemorySegment record : answer.records()) {
            int from = PathRecord.SLID.readInt(record, 0);
            int to = PathRecord.DLID.readInt(record, 0);
            levels.put(from << 16 | to, PathRecord.SL.readInt(record, 0));
        }
        // A connection has one level for both ways.
        levels.forEach(
                (pair, level) -> assertThat(levels.get(pair << 16 | pair >>> 16)).isEqualTo(level));
        return levels;
    }

    private static int levelToManager(SaLab sa, int host) {
        return PortInfo.MASTER_SM_SL.readInt(sa.lab.subnet.portInfo(host, 1), 0);
    }

    @Test
    void tablesAreAsWideAsTheLink() {
        PlainPlane plane = Shapes.torus(1, 4, 4).lanes(4);
        SaLab sa = new SaLab(plane, LAYERED);

        assertThat(sa.lab.manager.routing().engine()).isEqualTo("layered");
        // Each of the 16 switches has five links; packets come by the four others or from itself.
        assertThat(plane.levels).hasSize(16 * 5 * 5 + 16);
        assertThat(plane.levels.values()).containsOnly(0x3210_3210_3210_3210L);
        assertThat(plane.turns).hasSize(16 * 5 + 16);
        plane.turns.values().forEach(LayeredTest::hasFourEqualLanes);
    }

    private static void hasFourEqualLanes(List<Plane.Turn> turns) {
        assertThat(turns.stream().filter(it -> it.weight() > 0).map(it -> it.lane()))
                .containsExactly(0, 1, 2, 3);
        assertThat(turns.stream().mapToInt(it -> it.weight()).filter(it -> it > 0).distinct())
                .hasSize(1);
    }

    @Test
    void tablesOfLanesAreWrittenOnceAndAfterAPortWasDown() {
        PlainPlane plane = Shapes.torus(1, 4, 4).lanes(8);
        Lab lab = new Lab(plane, LAYERED);
        int[] tables = new int[1];
        lab.onSent(mad -> tables[0] += isLanes(mad) ? 1 : 0);
        lab.bringUp();
        int before = tables[0];
        assertThat(before).isEqualTo(16 * 5 * 5 + 16 + 2 * (16 * 5 + 16));

        int cable = plane.hosts + 5;
        lab.plug(cable, false);
        lab.pass(plane.nowNs() + TRAPS_NS);
        assertThat(tables[0]).as("a link that is gone needs none").isEqualTo(before);

        lab.plug(cable, true);
        lab.pass(plane.nowNs() + TRAPS_NS);
        // At each end five tables out of the port, four into it, and two of weights.
        assertThat(tables[0]).isEqualTo(before + 2 * (5 + 4 + 2));
    }

    @Test
    void tablesOfLanesStayAsTheyAreForOtherEnginesUnlessLanesAreWanted() {
        PlainPlane plane = Shapes.twoTiers(2, 2, 1, 1).lanes(8);
        Lab lab = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(0));
        lab.bringUp();
        assertThat(plane.levels).isEmpty();

        lab.replace(ManagerSettings.DEFAULT.withLanes(3).withSweepNs(0));
        assertThat(lab.bringUp().failures()).isZero();
        assertThat(plane.levels.values()).containsOnly(0x0210_2102_1021_0210L);
        assertThat(lab.manager.routing().engine()).isEqualTo("fat-tree");
    }

    private static boolean isLanes(MemorySegment mad) {
        int attribute = Mad.attributeId(mad, 0);
        return attribute == SmpBlocks.SL_TO_VL || attribute == SmpBlocks.VL_ARBITRATION;
    }

    @Test
    void aSwitchThatTakesNoTableOfLanesCountsAsAFailure() {
        PlainPlane plane = Shapes.torus(1, 4, 4).lanes(8);
        Lab lab = new Lab(plane, LAYERED);
        lab.tamper(
                mad -> {
                    if (Mad.attributeId(mad, 0) == SmpBlocks.SL_TO_VL) {
                        SmpBlocks.lane(mad, Smp.DATA, 15, 0);
                    }
                    return mad;
                });

        assertThat(lab.bringUp().failures()).isEqualTo(16 * 5 * 5 + 16);
    }

    @Test
    void partitionsWithAServiceLevelAreRefused() {
        SubnetManager manager = new SubnetManager(LAYERED);
        assertThatThrownBy(() -> manager.partitions(0, "Default=0x7fff, ipoib, sl=3 : ALL=full;"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition 0x7fff has an sl");
        manager.partitions(0, "Default=0x7fff, ipoib : ALL=full;");
        new SubnetManager(ManagerSettings.DEFAULT)
                .partitions(0, "Default=0x7fff, ipoib, sl=3 : ALL=full;");
    }

    @Test
    void aLargeTorusIsSpreadOverEightLanes() {
        PlainPlane plane = Shapes.torus(1, 8, 8).lanes(8);
        Lab lab = new Lab(plane, LAYERED);
        lab.bringUp();

        assertThat(lab.manager.routing().refusals()).isEmpty();
        assertThat(lab.manager.routing().lanes()).isBetween(2, 8);
        Walk walk = new Walk(lab);
        assertThat(
                        walk.hasCreditLoop(
                                (from, to) ->
                                        lab.manager.level(
                                                plane.portGuid(from), plane.portGuid(to))))
                .isFalse();
    }
}
