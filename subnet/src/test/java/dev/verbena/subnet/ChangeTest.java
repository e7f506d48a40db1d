package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.TrapDetails;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Something changes in a subnet that is up.
class ChangeTest {
    /// 54 hosts, 18 leaves, 18 aggregations, 9 cores: three tiers, switches of six ports.
    private final PlainPlane plane = Shapes.threeTiers(3, 6);

    private final Lab lab = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(0));

    private int cable(int node, int other) {
        for (int i = 0; i < plane.cables.size(); i++) {
            int[] ends = plane.cables.get(i);
            if ((ends[0] == node && ends[2] == other) || (ends[0] == other && ends[2] == node)) {
                return i;
            }
        }
        throw new AssertionError("a cable from %d to %d".formatted(node, other));
    }

    private void allArrive() {
        Walk walk = new Walk(lab);
        boolean[] present = PlainRoutes.present(plane);
        for (int from = 0; from < plane.nodes(); from++) {
            for (int to = 0; to < plane.nodes(); to++) {
                if (present[from] && present[to]) {
                    assertThat(walk.hops(from, to)).as("%d to %d", from, to).isNotNegative();
                }
            }
        }
    }

    private int[] tables() {
        int[] ports = new int[plane.nodes() * plane.nodes()];
        for (int node = plane.hosts(); node < plane.nodes(); node++) {
            for (int to = 0; to < plane.nodes(); to++) {
                ports[node * plane.nodes() + to] =
                        lab.subnet.forwardingPort(node, lab.subnet.lid(to));
            }
        }
        return ports;
    }

    @Test
    void aLostLinkCostsThePortsOfItsTwoSwitchesAndTheBlocksThatDiffer() {
        lab.bringUp();
        int[] before = tables();
        // Both switches still reach the manager, which is in another pod.
        int aggregation = 54 + 18 + 3;
        int core = 54 + 36;

        lab.plug(cable(aggregation, core), false);
        SweepReport report = lab.settle();

        assertThat(report.isFull()).isFalse();
        assertThat(report.failures()).isZero();
        assertThat(report.endNs()).isEqualTo(report.startNs());
        assertThat(report.routing().isComplete()).isFalse();
        assertThat(report.blocks()).isEqualTo(changedBlocks(before));
        // Of each switch SwitchInfo, its reset, and PortInfo of 7 ports.
        assertThat(report.requests() - report.retries()).isEqualTo(2 * (2 + 7) + report.blocks());
        // One went over the link before it was known to be lost, and goes again at once.
        assertThat(report.retries()).isOne();
        assertThat(report.routing().destinations()).isLessThan(report.routing().switches());
        allArrive();
    }

    private int changedBlocks(int[] before) {
        int[] after = tables();
        int blocks = 0;
        for (int node = plane.hosts(); node < plane.nodes(); node++) {
            boolean[] changed = new boolean[2];
            for (int to = 0; to < plane.nodes(); to++) {
                int at = node * plane.nodes() + to;
                changed[lab.subnet.lid(to) / 64] |= before[at] != after[at];
            }
            blocks += (changed[0] ? 1 : 0) + (changed[1] ? 1 : 0);
        }
        return blocks;
    }

    @Test
    void aLinkThatReturnsBringsTheOldRoutesBack() {
        lab.bringUp();
        int[] before = tables();
        int cable = cable(54 + 18, 54 + 36);
        lab.plug(cable, false);
        lab.settle();
        assertThat(tables()).isNotEqualTo(before);

        lab.plug(cable, true);
        SweepReport report = lab.settle();

        assertThat(report.failures()).isZero();
        assertThat(tables()).isEqualTo(before);
        assertThat(lab.subnet.portState(54 + 18, 4)).isEqualTo(4);
        assertThat(lab.subnet.portState(54 + 36, 1)).isEqualTo(4);
    }

    @Test
    void onlyRoutesOverALostLinkMove() {
        lab.bringUp();
        int[] before = tables();
        int aggregation = 54 + 18;
        int core = 54 + 36;
        lab.plug(cable(aggregation, core), false);
        lab.settle();

        int[] after = tables();
        for (int to = 0; to < 54; to++) {
            int at = aggregation * plane.nodes() + to;
            if (before[at] != 4) {
                assertThat(after[at]).isEqualTo(before[at]);
            }
        }
    }

    @Test
    void theRoutesOfALostLinkAreSpreadOverTheOtherUplinks() {
        lab.bringUp();
        int aggregation = 54 + 18;
        assertThat(uplinkLoads(aggregation)).containsExactly(15, 15, 15);

        lab.plug(cable(aggregation, 54 + 36), false);
        lab.settle();

        int[] loads = uplinkLoads(aggregation);
        assertThat(loads[0]).isZero();
        // 15 routes in runs of three, which stay together.
        assertThat(loads[1]).isBetween(21, 24);
        assertThat(loads[2]).isBetween(21, 24);
    }

    private int[] uplinkLoads(int aggregation) {
        int[] loads = new int[3];
        for (int host = 0; host < plane.hosts(); host++) {
            int port = lab.subnet.forwardingPort(aggregation, lab.subnet.lid(host));
            if (port >= 4) {
                loads[port - 4]++;
            }
        }
        return loads;
    }

    @Test
    void aHostThatGoesAndReturnsChangesOneBlockOfItsLeaf() {
        lab.bringUp();
        int[] before = tables();
        int cable = cable(17, 54 + 5);

        lab.plug(cable, false);
        SweepReport gone = lab.settle();
        assertThat(gone.blocks()).isOne();
        assertThat(gone.hosts()).isEqualTo(53);
        assertThat(lab.subnet.forwardingPort(54 + 5, 18)).isEqualTo(255);

        lab.plug(cable, true);
        SweepReport back = lab.settle();
        assertThat(back.blocks()).isOne();
        assertThat(back.hosts()).isEqualTo(54);
        assertThat(tables()).isEqualTo(before);
        assertThat(lab.subnet.portState(17, 1)).isEqualTo(4);
    }

    @Test
    void aHostThatMovesKeepsItsLidAndIsReachedAtItsNewPlace() {
        PlainPlane small = Shapes.twoTiers(2, 3, 2, 1);
        Lab other = new Lab(small, ManagerSettings.DEFAULT);
        other.bringUp();
        int lid = other.subnet.lid(5);
        int place = 0;
        int free = 0;
        for (int i = 0; i < small.cables.size(); i++) {
            place = small.cables.get(i)[0] == 5 ? i : place;
            free = small.cables.get(i)[0] == 2 ? i : free;
        }
        int[] to = small.cables.get(free);
        other.plug(free, false);
        other.plug(place, false);
        other.settle();

        int moved = small.connect(5, 1, to[2], to[3]);
        other.plug(moved, true);
        SweepReport report = other.settle();

        assertThat(report.failures()).isZero();
        assertThat(other.subnet.lid(5)).isEqualTo(lid);
        assertThat(new Walk(other).hops(0, 5)).isEqualTo(2);
        assertThat(new Walk(other).hops(3, 5)).isZero();
    }

    @Test
    void aSwitchThatIsCutOffAndReturnsGetsAllOfItsTableAgain() {
        lab.bringUp();
        int core = 54 + 36;
        for (int pod = 0; pod < 6; pod++) {
            lab.plug(cable(core, 54 + 18 + 3 * pod), false);
        }
        SweepReport gone = lab.settle();
        assertThat(gone.switches()).isEqualTo(44);
        allArrive();

        for (int pod = 0; pod < 6; pod++) {
            lab.plug(cable(core, 54 + 18 + 3 * pod), true);
        }
        lab.pass(plane.nowNs() + 3_000_000_000L);

        assertThat(lab.manager.isIdle()).isTrue();
        allArrive();
    }

    @Test
    void aSwitchThatIsNewIsRoutedWithItsHosts() {
        PlainPlane grown = Shapes.twoTiers(2, 4, 2, 1);
        // Leaf 3, with its hosts, comes later.
        int[] uplinks = new int[2];
        int found = 0;
        for (int i = 0; i < grown.cables.size(); i++) {
            int[] ends = grown.cables.get(i);
            if (ends[0] == 8 + 3 && ends[2] >= 12) {
                uplinks[found++] = i;
            }
        }
        grown.plug(uplinks[0], false);
        grown.plug(uplinks[1], false);
        Lab other = new Lab(grown, ManagerSettings.DEFAULT);
        assertThat(other.bringUp().hosts()).isEqualTo(6);

        other.plug(uplinks[0], true);
        other.settle();
        other.plug(uplinks[1], true);
        SweepReport report = other.settle();

        assertThat(report.hosts()).isEqualTo(8);
        assertThat(report.failures()).isZero();
        Walk walk = new Walk(other);
        for (int host = 0; host < 8; host++) {
            assertThat(walk.hops(0, host)).isNotNegative();
            assertThat(walk.hops(7, host)).isNotNegative();
        }
    }

    @Test
    void aSwitchThatWasResetGetsItsLidAndItsTableAgain() {
        lab.bringUp();
        int core = 54 + 36;
        int lid = lab.subnet.lid(core);
        PlainManagerLids.one(lab, core, 0);
        lab.exchange();
        int cable = cable(core, 54 + 18);
        lab.plug(cable, false);
        lab.plug(cable, true);

        SweepReport report = lab.settle();

        assertThat(lab.subnet.lid(core)).isEqualTo(lid);
        // Nothing is known of what the switch still has, so its two blocks are written too.
        assertThat(report.blocks()).isGreaterThanOrEqualTo(2);
        allArrive();
    }

    @Test
    void trapsEndWhenTheManagerHasThem() {
        lab.bringUp();
        int[] traps = {0};
        lab.tamper(
                mad -> {
                    traps[0] += Mad.method(mad, 0) == MadMethod.TRAP ? 1 : 0;
                    return mad;
                });
        lab.plug(cable(54 + 18, 54 + 36), false);
        lab.pass(plane.nowNs() + 60_000_000_000L);

        assertThat(traps[0]).isEqualTo(2);
        assertThat(lab.manager.isIdle()).isTrue();
    }

    @Test
    void aChangeWhoseTrapsAreLostIsFoundByTheNextLookAtAllSwitches() {
        Lab looking = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(1_000_000_000L));
        looking.bringUp();
        looking.tamper(
                mad ->
                        Mad.method(mad, 0) == MadMethod.TRAP
                                ? MemorySegment.ofArray(new byte[0])
                                : mad);
        looking.plug(cable(54 + 18, 54 + 36), false);
        looking.pass(plane.nowNs() + 500_000_000L);
        assertThat(new Walk(looking).hops(0, 53)).isEqualTo(4);
        int lost = lostPairs(looking);
        assertThat(lost).isPositive();

        looking.pass(plane.nowNs() + 1_000_000_000L);

        assertThat(lostPairs(looking)).isZero();
    }

    private static int lostPairs(Lab lab) {
        Walk walk = new Walk(lab);
        int lost = 0;
        for (int from = 0; from < lab.plane.hosts(); from++) {
            for (int to = 0; to < lab.plane.hosts(); to++) {
                lost += walk.hops(from, to) < 0 ? 1 : 0;
            }
        }
        return lost;
    }

    @Test
    void requestsThatAreLostAreSentAgain() {
        int[] count = {0};
        lab.tamper(mad -> ++count[0] % 7 == 0 ? MemorySegment.ofArray(new byte[0]) : mad);

        SweepReport report = lab.bringUp();

        assertThat(report.retries()).isPositive();
        assertThat(report.failures()).isZero();
        allArrive();
    }

    @Test
    void aSilentSwitchIsGivenUpAndTheOthersComeUp() {
        int core = 54 + 36;
        long silent = plane.nodeGuid(core);
        lab.tamper(mad -> isFrom(mad, silent) ? MemorySegment.ofArray(new byte[0]) : mad);

        SweepReport report = lab.bringUp();

        assertThat(report.failures()).isPositive();
        assertThat(report.switches()).isEqualTo(44);
        Walk walk = new Walk(lab);
        for (int host = 0; host < 54; host++) {
            assertThat(walk.hops(0, host)).isNotNegative();
        }
    }

    @Test
    void aChangeWhileTablesAreWrittenIsLookedAtAfterwards() {
        lab.bringUp();
        boolean[] isPulled = {false};
        lab.tamper(
                mad -> {
                    boolean isBlock = Mad.attributeId(mad, 0) == SmpBlocks.LINEAR_FORWARDING;
                    if (isBlock && !isPulled[0]) {
                        isPulled[0] = true;
                        lab.plug(cable(54 + 18 + 6, 54 + 36 + 1), false);
                        plane.advance(plane.nowNs());
                    }
                    return mad;
                });
        lab.plug(cable(54 + 18 + 3, 54 + 36), false);
        lab.settle();

        assertThat(isPulled[0]).isTrue();
        assertThat(lab.reports()).isGreaterThan(1);
        allArrive();
    }

    @Test
    void theNeighboursOfASwitchThatIsNotReachedAreAskedAboutTheirLinks() {
        lab.bringUp();
        // The way of the manager to the aggregation leads over the core, whose trap is lost.
        int aggregation = 54 + 18 + 3;
        int core = 54 + 36;
        int lost = lab.subnet.lid(core);
        lab.tamper(
                mad -> {
                    boolean isLost =
                            Mad.method(mad, 0) == MadMethod.TRAP
                                    && TrapDetails.TRAP_128_LID.readInt(mad, Smp.DATA) == lost;
                    return isLost ? MemorySegment.ofArray(new byte[0]) : mad;
                });

        lab.plug(cable(aggregation, core), false);
        lab.settle();

        assertThat(lostPairs(lab)).isZero();
    }

    @Test
    void aManagerThatWasAloneFindsTheSubnetWhenItsCableIsPluggedIn() {
        int own = cable(0, 54);
        plane.plug(own, false);
        Lab alone = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(1_000_000_000L));
        assertThat(alone.bringUp().hosts()).isOne();

        alone.plug(own, true);
        alone.pass(plane.nowNs() + 5_000_000_000L);

        assertThat(lostPairs(alone)).isZero();
    }

    @Test
    void aManagerWhoseCableIsPulledIsAloneAndComesBack() {
        int own = cable(0, 54);
        Lab looking = new Lab(plane, ManagerSettings.DEFAULT.withSweepNs(1_000_000_000L));
        looking.bringUp();

        looking.plug(own, false);
        looking.pass(plane.nowNs() + 5_000_000_000L);
        assertThat(looking.manager.isIdle()).isTrue();
        looking.plug(own, true);
        looking.pass(plane.nowNs() + 5_000_000_000L);

        assertThat(lostPairs(looking)).isZero();
    }

    @Test
    void nodesHaveTheKeyOfTheirManagerAndObeyNoOther() {
        ManagerSettings silent = ManagerSettings.DEFAULT.withRetries(0, 1_000_000);
        Lab keyed = new Lab(plane, silent.withKey(0x5EC2E7));
        assertThat(keyed.bringUp().failures()).isZero();
        assertThat(keyed.bringUp().failures()).isZero();

        PlainManagerLids.one(keyed, 5, 77);

        assertThat(keyed.subnet.lid(5)).isEqualTo(6);
    }

    @Test
    void aTrapBeforeItsNodeIsKnownIsNotThankedFor() {
        lab.bringUp();
        lab.manager.start(plane.nowNs());
        MemorySegment trap = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        new Mad(1, 1, MadMethod.TRAP, 0, 0, 5, Notice.ATTRIBUTE_ID, 0).emit(trap, 0);
        Notice.IS_GENERIC.write(trap, Smp.DATA, 1);
        Notice.TRAP_NUMBER.write(trap, Smp.DATA, Notice.LINK_STATE_CHANGE);
        TrapDetails.TRAP_128_LID.write(trap, Smp.DATA, 60);

        assertThat(lab.manager.handle(plane.nowNs(), 60, 0, trap))
                .isEqualTo(SmVerdict.UNKNOWN_ISSUER);

        lab.manager.transmit(0, (lid, _, _) -> assertThat(lid).isEqualTo(DatagramSink.DIRECTED));
        lab.bringUp();
        assertThat(lab.manager.handle(plane.nowNs(), 60, 0, trap)).isEqualTo(SmVerdict.OK);
        lab.manager.transmit(0, (lid, _, _) -> assertThat(lid).isEqualTo(60));
    }

    private static boolean isFrom(MemorySegment mad, long guid) {
        return Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID
                && NodeInfo.NODE_GUID.read(mad, Smp.DATA) == guid;
    }
}
