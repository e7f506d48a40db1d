package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.subnet.state.Command;
import dev.verbena.testkit.Seed;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Managers take over from each other: by the M_Keys of their terms.
class TakeoverTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final PlainPlane plane = Shapes.twoTiers(3, 3, 2, 1);
    private final SharedLab lab = new SharedLab(plane);
    private final Seat first = lab.seat(0);
    private final Seat second = lab.seat(4);

    private void assertAllHold(long term) {
        for (int node = 0; node < plane.nodes(); node++) {
            assertThat(lab.keyOf(node))
                    .as("key of %s", plane.name(node))
                    .isEqualTo(SharedLab.key(term));
        }
    }

    @Test
    void givesAllNodesTheKeyOfItsTermBeforeItWritesARoute() {
        SweepReport report = first.takeOver();
        assertThat(report.failures()).isZero();
        assertAllHold(1);
        second.takeOver();
        assertAllHold(2);
        lab.assertRouted(0);
    }

    @Test
    void writesNothingThatNodesHaveAlready() {
        first.takeOver();
        int blocks = lab.writes(SmpBlocks.LINEAR_FORWARDING);
        int switches = lab.writes(SwitchInfo.ATTRIBUTE_ID);
        assertThat(blocks).isPositive();
        SweepReport report = second.takeOver();
        assertThat(report.failures()).isZero();
        assertThat(report.blocks()).isZero();
        assertThat(lab.writes(SmpBlocks.LINEAR_FORWARDING)).isEqualTo(blocks);
        assertThat(lab.writes(SwitchInfo.ATTRIBUTE_ID)).isEqualTo(switches);
    }

    @Test
    void keepsTheLidsOfAllNodes() {
        first.takeOver();
        int[] lids = new int[plane.nodes()];
        for (int node = 0; node < lids.length; node++) {
            lids[node] = lab.subnet.lid(node);
        }
        second.takeOver();
        for (int node = 0; node < lids.length; node++) {
            assertThat(lab.subnet.lid(node)).isEqualTo(lids[node]).isPositive();
        }
    }

    @Test
    void aManagerThatWasOvertakenChangesNothingAnyMore() {
        first.lead();
        first.run(200);
        second.takeOver();
        int writes = lab.writes(SmpBlocks.LINEAR_FORWARDING);
        first.pass(plane.nowNs() + 10 * SECOND_NS);
        first.run(Integer.MAX_VALUE - first.sent);
        assertThat(lab.writes(SmpBlocks.LINEAR_FORWARDING)).isEqualTo(writes);
        assertAllHold(2);
        lab.assertRouted(0);
    }

    @Test
    void aChangeThatTheOldManagerHasSeenButNotRoutedIsRoutedByTheNext() {
        first.takeOver();
        // Of the first leaf to the first spine.
        lab.plug(plane.cables.size() - 6, false);
        plane.advance(plane.nowNs());
        first.run(4);
        second.takeOver();
        lab.assertRouted(0);
    }

    @Test
    void lidsAreWrittenOnlyAfterTheyAreCommitted() {
        first.commits = false;
        first.lead();
        first.run(Integer.MAX_VALUE);
        assertThat(first.waiting()).isPositive();
        for (int node = 0; node < plane.nodes(); node++) {
            assertThat(lab.subnet.lid(node)).isZero();
        }
        first.commit();
        first.commits = true;
        first.settle();
        lab.assertRouted(0);
    }

    @Test
    void findsTheKeyOfANodeThatMissedTerms() {
        first.takeOver();
        int node = 8;
        lab.plug(8, false);
        first.settle();
        for (int i = 0; i < 5; i++) {
            second.takeOver();
            first.takeOver();
        }
        assertThat(lab.keyOf(node)).isEqualTo(SharedLab.key(1));
        lab.plug(8, true);
        first.settle();
        assertAllHold(lab.term());
        lab.assertRouted(0);
    }

    @Test
    void aNodeTakesTheKeyThoughAllFirstAnswersAreLost() {
        first.takeOver();
        AtomicInteger lost = new AtomicInteger();
        second.loses =
                mad ->
                        Mad.attributeId(mad, 0) == PortInfo.ATTRIBUTE_ID
                                && PortInfo.M_KEY.read(mad, Smp.DATA) == 0
                                && lost.getAndIncrement() < plane.nodes();
        SweepReport report = second.takeOver();
        assertThat(lost.get()).isGreaterThanOrEqualTo(plane.nodes());
        second.loses = _ -> false;
        assertThat(report.failures()).isZero();
        assertAllHold(2);
    }

    @Test
    void aNodeOfAStrangerIsLeftAloneAndCounted() {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        Mad header =
                new Mad(
                        ManagementClass.SUBNET_DIRECTED_ROUTE,
                        1,
                        MadMethod.SET,
                        0,
                        0,
                        1,
                        PortInfo.ATTRIBUTE_ID,
                        1);
        Smp.request(mad, 0, header, 0);
        Smp.route(mad, 0);
        PortInfo.M_KEY.write(mad, Smp.DATA, 99);
        PortInfo.M_KEY_PROTECT_BITS.write(mad, Smp.DATA, 1);
        PortInfo.NEIGHBOR_MTU.write(mad, Smp.DATA, 5);
        PortInfo.OPERATIONAL_VLS.write(mad, Smp.DATA, 1);
        lab.subnet.port(7).send(MadEnvelope.DIRECTED, mad);
        SweepReport report = first.takeOver();
        assertThat(report.failures()).isPositive();
        assertThat(first.manager().verdicts()).containsKey(SmVerdict.LOCKED);
        assertThat(lab.subnet.lid(7)).isZero();
        assertThat(lab.subnet.lid(6)).isPositive();
        assertThat(lab.keyOf(6)).isEqualTo(SharedLab.key(1));
    }

    @Test
    void nodesDoNotShowTheKeyToOthers() {
        first.takeOver();
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        Mad header =
                new Mad(
                        ManagementClass.SUBNET_DIRECTED_ROUTE,
                        1,
                        MadMethod.GET,
                        0,
                        0,
                        7,
                        PortInfo.ATTRIBUTE_ID,
                        1);
        Smp.request(mad, 0, header, 0);
        Smp.route(mad, 0);
        MemorySegment[] answer = new MemorySegment[1];
        lab.subnet
                .port(5)
                .receiver(
                        (_, it) -> {
                            answer[0] = it;
                            return true;
                        });
        lab.subnet.port(5).send(MadEnvelope.DIRECTED, mad);
        assertThat(PortInfo.LID.readInt(answer[0], Smp.DATA)).isPositive();
        assertThat(PortInfo.M_KEY.read(answer[0], Smp.DATA)).isZero();
    }

    @Test
    void portsThatWentDuringTheChangeOfManagersAreForgotten() {
        first.takeOver();
        long guid = plane.portGuid(8);
        lab.log.add(new Command.Register(TakeoverStateTest.service(guid, 1)));
        lab.log.add(new Command.Register(TakeoverStateTest.service(plane.portGuid(7), 1)));
        lab.plug(8, false);
        second.takeOver();
        assertThat(second.state().hasRecords(guid)).isFalse();
        assertThat(second.state().hasRecords(plane.portGuid(7))).isTrue();
    }

    @Test
    void aNodeThatWasSilentInATakeoverIsTriedAgainSoon() {
        first.takeOver();
        long guid = plane.portGuid(8);
        lab.silent.set(8);
        second.loses =
                mad ->
                        Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID
                                && NodeInfo.PORT_GUID.read(mad, Smp.DATA) == guid;
        assertThat(second.takeOver().failures()).isPositive();
        assertThat(lab.keyOf(8)).isEqualTo(SharedLab.key(1));
        lab.silent.clear(8);
        second.loses = _ -> false;
        second.pass(plane.nowNs() + SECOND_NS);
        assertAllHold(2);
        lab.assertRouted(0);
    }

    @Test
    void aRepeatedTakeoverDoesNotTryTheKeysOfAllFormerTerms() {
        for (int i = 0; i < 10; i++) {
            first.takeOver();
            second.takeOver();
        }
        long guid = plane.portGuid(8);
        lab.silent.set(8);
        first.loses =
                mad ->
                        Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID
                                && NodeInfo.PORT_GUID.read(mad, Smp.DATA) == guid;
        int before = first.sent;
        assertThat(first.takeOver().failures()).isPositive();
        int took = first.sent - before;
        before = first.sent;
        lab.silent.clear(8);
        first.loses = _ -> false;
        first.pass(plane.nowNs() + SECOND_NS);
        assertAllHold(lab.term());
        assertThat(first.sent - before).as("requests of the repeat").isPositive().isLessThan(took);
    }

    @Test
    void aPortThatIsSilentDuringTheChangeOfManagersKeepsWhatItAskedFor() {
        first.takeOver();
        long guid = plane.portGuid(8);
        lab.log.add(new Command.Register(TakeoverStateTest.service(guid, 1)));
        second.loses =
                mad ->
                        Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID
                                && NodeInfo.PORT_GUID.read(mad, Smp.DATA) == guid;
        assertThat(second.takeOver().failures()).isPositive();
        second.loses = _ -> false;
        assertThat(second.state().hasRecords(guid)).isTrue();
        lab.plug(8, false);
        second.settle();
        lab.plug(8, true);
        second.settle();
        assertThat(second.manager().lid(guid)).isPositive();
        assertThat(second.state().hasRecords(guid)).isFalse();
    }

    @Test
    void aStandbyAnswersThatItIsOne() {
        Standby standby = new Standby(ManagerSettings.DEFAULT.withPriority(7), 0x77);
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        Mad header =
                new Mad(
                        ManagementClass.SUBNET_LID_ROUTED,
                        1,
                        MadMethod.GET,
                        0,
                        0,
                        7,
                        SmInfo.ATTRIBUTE_ID,
                        0);
        Smp.request(mad, 0, header, 0);
        assertThat(standby.handle(3, mad)).isEqualTo(SmVerdict.OK);
        boolean isSent =
                standby.transmit(
                        (lid, pair, answer) -> {
                            assertThat(lid).isEqualTo(3);
                            assertThat(pair).isZero();
                            assertThat(Mad.method(answer, 0)).isEqualTo(MadMethod.GET_RESPONSE);
                            assertThat(SmInfo.SM_STATE.readInt(answer, Smp.DATA)).isEqualTo(2);
                            assertThat(SmInfo.PRIORITY.readInt(answer, Smp.DATA)).isEqualTo(7);
                            assertThat(SmInfo.GUID.read(answer, Smp.DATA)).isEqualTo(0x77);
                        });
        assertThat(isSent).isTrue();
        assertThat(standby.transmit((_, _, _) -> {})).isFalse();
    }

    /// Managers stop after any number of datagrams, links come and go, and managers that were
    /// overtaken go on with what they were at.
    @Test
    void takesOverFromAManagerThatStopsAnywhere() {
        SplittableRandom seeds = Seed.forTest("takeovers", 0x7A4E).random();
        long count = Seed.campaign(40);
        for (int run = 0; run < count; run++) {
            long seed = seeds.nextLong();
            SplittableRandom random = new SplittableRandom(seed);
            PlainPlane net = Shapes.twoTiers(3, 3, 3, 1);
            SharedLab shared = new SharedLab(net);
            Seat[] seats = {shared.seat(0), shared.seat(4), shared.seat(8)};
            boolean[] hasLed = new boolean[seats.length];
            int trunks = net.hosts;
            for (int round = 0; round < 8; round++) {
                int leader = random.nextInt(seats.length);
                for (int i = 0; i < random.nextInt(3); i++) {
                    int cable = trunks + random.nextInt(net.cables.size() - trunks);
                    // One spine stays whole, so that all nodes are within reach.
                    if (cable < net.cables.size() - 3) {
                        shared.plug(cable, random.nextBoolean());
                    }
                }
                seats[leader].lead();
                hasLed[leader] = true;
                seats[leader].run(random.nextInt(700));
                int late = random.nextInt(seats.length);
                if (late != leader && hasLed[late]) {
                    seats[late].run(random.nextInt(100));
                    seats[late].manager().handleTimeout(net.nowNs() + SECOND_NS);
                    seats[late].run(random.nextInt(100));
                }
            }
            SweepReport report = seats[0].takeOver();
            assertThat(report.failures())
                    .as("failures of run %d, its own seed %d", run, seed)
                    .isZero();
            shared.assertRouted(0);
        }
    }
}
