package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fabric.manage.Delivery;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.Subnet;
import dev.verbena.verbs.PortState;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.PortCounters;
import dev.verbena.wire.mad.PortCountersExtended;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import dev.verbena.wire.mad.TrapDetails;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A fabric that is managed by datagrams: what agents answer, and what data does then.
@Tag("subnet")
class SubnetTest {
    private static final int BYTES = 50_000;
    private static final long TICK_PS = 5_000_000_000L;

    /// Two leaves, two spines, four hosts.
    private final Fabric fabric =
            new Fabric(FatTree.twoTiers(2, 2, 2).topology(), FabricSettings.INFINIBAND);

    private final Subnet subnet = fabric.subnet();
    private final PlainManager manager = new PlainManager(subnet.port(0));

    private FlowRun shift() {
        FlowRun run = new FlowRun(fabric, Patterns.shift(4, 2, BYTES), _ -> {});
        fabric.run(fabric.nowPs() + 100 * TICK_PS);
        return run;
    }

    private PlainManager.Found switchOf(int host) {
        PlainManager.Found found = manager.byGuid(NetfileText.guid(host)).peers[1];
        return Objects.requireNonNull(found, "a leaf");
    }

    @Test
    void noPortIsActiveBeforeAManagerHasBeenThere() {
        for (int node = 0; node < 8; node++) {
            assertThat(subnet.portState(node, 1)).isEqualTo(2);
            assertThat(subnet.lid(node)).isZero();
        }
        assertThat(fabric.open(1).portSettings().attributes().state())
                .isEqualTo(PortState.INITIALIZE);
    }

    @Test
    void aManagerBringsItUpByDatagramsAndDataTakesTheRoutesItWrote() {
        manager.bringUp();

        assertThat(manager.nodes).hasSize(8);
        assertThat(manager.dropped).isEmpty();
        FlowRun run = shift();
        assertThat(run.deliveredBytes()).isEqualTo(4L * BYTES);
        assertThat(fabric.counts().drops()).isZero();
        // The plain manager takes the lowest port, and so the first spine alone.
        assertThat(sent("spine 0")).isPositive();
        assertThat(sent("spine 1")).isZero();
    }

    private long sent(String node) {
        return fabric.counters(node).stream()
                .mapToLong(it -> it.counts().getOrDefault("PortXmitPkts", 0L))
                .sum();
    }

    @Test
    void dataFollowsAnEntryThatIsWrittenAnew() {
        manager.bringUp();
        for (PlainManager.Found node : manager.sorted()) {
            boolean isLeaf = node.isSwitch && node.peers[1] != null && !node.peers[1].isSwitch;
            if (isLeaf) {
                byte[] block =
                        PlainManager.data(manager.get(SmpBlocks.LINEAR_FORWARDING, 0, node.path));
                for (int i = 0; i < block.length; i++) {
                    // From the uplink to the first spine to that to the second.
                    block[i] = block[i] == 3 ? (byte) 4 : block[i];
                }
                assertThat(manager.set(SmpBlocks.LINEAR_FORWARDING, 0, block, node.path)).isZero();
            }
        }

        assertThat(shift().deliveredBytes()).isEqualTo(4L * BYTES);
        assertThat(sent("spine 0")).isZero();
        assertThat(sent("spine 1")).isPositive();
    }

    @Test
    void noDataPassesAPortThatIsArmedOnly() {
        manager.bringUp();
        PlainManager.Found leaf = switchOf(0);
        // Down and up again: the link is trained anew.
        assertThat(manager.state(leaf, 3, 1)).isZero();
        assertThat(manager.state(leaf, 3, 3)).isZero();

        FlowRun run = shift();

        assertThat(run.deliveredBytes()).isZero();
        assertThat(fabric.counts().drops()).isPositive();
        MemorySegment question =
                manager.request(
                        ManagementClass.PERFORMANCE, MadMethod.GET, ClassPortInfo.ATTRIBUTE_ID, 0);
        assertThat(manager.send(new MadEnvelope(subnet.lid(2), 0, 1, 1), question)).isNull();
        assertThat(manager.dropped).containsExactly(Delivery.NOT_ACTIVE);
    }

    @Test
    void aPortGoesThroughItsStatesInOrder() {
        manager.bringUp();
        PlainManager.Found leaf = switchOf(0);
        assertThat(manager.state(leaf, 3, 2)).isEqualTo(MadStatus.INVALID_VALUE);
        assertThat(manager.state(leaf, 3, 3)).isEqualTo(MadStatus.INVALID_VALUE);
        assertThat(manager.state(leaf, 3, 1)).isZero();
        int node = 4;
        assertThat(subnet.portState(node, 3)).isEqualTo(2);
        assertThat(manager.state(leaf, 3, 4)).isEqualTo(MadStatus.INVALID_VALUE);
        assertThat(manager.state(leaf, 3, 3)).isZero();
        assertThat(manager.state(leaf, 3, 4)).isZero();
        assertThat(subnet.portState(node, 3)).isEqualTo(4);
    }

    @Test
    void aCableThatIsPulledTakesItsPortsDownAndATrapIsRepeatedUntilItIsAcknowledged() {
        manager.bringUp();
        int cable = uplink();
        long now = fabric.nowPs();
        fabric.fault(CableFault.down(cable, now, now + 10 * TICK_PS));
        fabric.run(now + 1);

        assertThat(subnet.portState(4, 3)).isEqualTo(1);
        List<MemorySegment> first = traps(Notice.LINK_STATE_CHANGE);
        assertThat(first).isNotEmpty();
        assertThat(TrapDetails.TRAP_128_LID.readInt(first.getFirst(), Smp.DATA))
                .isEqualTo(subnet.lid(4));
        MemorySegment info = manager.get(SwitchInfo.ATTRIBUTE_ID, 0, switchOf(0).path);
        assertThat(SwitchInfo.PORT_STATE_CHANGE.read(info, Smp.DATA)).isOne();

        fabric.run(now + TICK_PS);
        int repeated = traps(Notice.LINK_STATE_CHANGE).size();
        assertThat(repeated).isGreaterThan(first.size());
        repress();
        fabric.run(now + 9 * TICK_PS);
        assertThat(traps(Notice.LINK_STATE_CHANGE)).hasSize(repeated);

        fabric.run(now + 11 * TICK_PS);
        assertThat(subnet.portState(4, 3)).isEqualTo(2);
        assertThat(traps(Notice.LINK_STATE_CHANGE)).hasSizeGreaterThan(repeated);
    }

    private int uplink() {
        Topology shape = fabric.topology();
        for (int i = 0; i < shape.cables(); i++) {
            for (int end = 0; end <= 2; end += 2) {
                if (shape.cable(i, end) == 4 && shape.cable(i, end + 1) == 2) {
                    return i;
                }
            }
        }
        throw new AssertionError("the leaf has an uplink");
    }

    private List<MemorySegment> traps(int number) {
        return manager.came.stream()
                .filter(it -> Mad.method(it, 0) == MadMethod.TRAP)
                .filter(it -> Notice.TRAP_NUMBER.readInt(it, Smp.DATA) == number)
                .toList();
    }

    private void repress() {
        for (MemorySegment trap : List.copyOf(manager.came)) {
            MemorySegment answer = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
            answer.copyFrom(trap);
            dev.verbena.wire.BigEndian.put8(answer, 3, MadMethod.TRAP_REPRESS);
            int lid = Notice.ISSUER_LID.readInt(trap, Smp.DATA);
            manager.port.send(new MadEnvelope(lid, 0, 0, 0), answer);
        }
    }

    @Test
    void aTrapThatNoManagerAcknowledgesEnds() {
        manager.bringUp();
        manager.port.isManager(true);
        fabric.run(Long.MAX_VALUE);

        assertThat(fabric.isIdle()).isTrue();
        assertThat(traps(Notice.LOCAL_CHANGES)).hasSize(11);
        assertThat(
                        TrapDetails.TRAP_144_CAPABILITY_MASK.readInt(
                                        traps(Notice.LOCAL_CHANGES).getFirst(), Smp.DATA)
                                & 2)
                .isEqualTo(2);
    }

    @Test
    void aWrongKeyChangesNothingAndIsReported() {
        manager.bringUp();
        PlainManager.Found leaf = switchOf(3);
        byte[] info = PlainManager.data(manager.get(PortInfo.ATTRIBUTE_ID, 0, leaf.path));
        MemorySegment bytes = MemorySegment.ofArray(info);
        PortInfo.M_KEY.write(bytes, 0, 0x5EC2E7);
        PortInfo.M_KEY_PROTECT_BITS.write(bytes, 0, 1);
        assertThat(manager.set(PortInfo.ATTRIBUTE_ID, 0, info, leaf.path)).isZero();

        manager.key = 0xBAD;
        byte[] table = new byte[64];
        assertThat(manager.ask(MadMethod.SET, SmpBlocks.LINEAR_FORWARDING, 0, table, leaf.path))
                .isNull();
        assertThat(manager.dropped).containsExactly(Delivery.KEY);
        assertThat(subnet.forwardingPort(5, subnet.lid(3))).isEqualTo(2);
        MemorySegment seen = manager.get(PortInfo.ATTRIBUTE_ID, 0, leaf.path);
        assertThat(PortInfo.M_KEY.read(seen, Smp.DATA)).isZero();
        assertThat(PortInfo.M_KEY_VIOLATIONS.read(seen, Smp.DATA)).isOne();
        fabric.run(fabric.nowPs() + 1);
        MemorySegment trap = traps(Notice.BAD_M_KEY).getFirst();
        assertThat(TrapDetails.TRAP_256_M_KEY.read(trap, Smp.DATA)).isEqualTo(0xBAD);
        assertThat(TrapDetails.TRAP_256_ATTRIBUTE_ID.read(trap, Smp.DATA)).isEqualTo(0x19);
        assertThat(TrapDetails.TRAP_256_DR_HOP_COUNT.readInt(trap, Smp.DATA))
                .isEqualTo(leaf.path.length);

        manager.key = 0x5EC2E7;
        seen = manager.get(PortInfo.ATTRIBUTE_ID, 0, leaf.path);
        assertThat(PortInfo.M_KEY.read(seen, Smp.DATA)).isEqualTo(0x5EC2E7);
        assertThat(manager.set(SmpBlocks.LINEAR_FORWARDING, 0, table, leaf.path)).isZero();
    }

    @Test
    void protectionEndsWithTheLeaseUnlessTheKeyIsSeen() {
        manager.bringUp();
        PlainManager.Found leaf = switchOf(3);
        byte[] info = PlainManager.data(manager.get(PortInfo.ATTRIBUTE_ID, 0, leaf.path));
        MemorySegment bytes = MemorySegment.ofArray(info);
        PortInfo.M_KEY.write(bytes, 0, 7);
        PortInfo.M_KEY_PROTECT_BITS.write(bytes, 0, 2);
        PortInfo.M_KEY_LEASE_PERIOD.write(bytes, 0, 2);
        manager.set(PortInfo.ATTRIBUTE_ID, 0, info, leaf.path);

        assertThat(asksInVain(leaf)).isTrue();
        fabric.advance(Duration.ofMillis(1500));
        manager.key = 7;
        assertThat(asksInVain(leaf)).isFalse();
        manager.key = 0;
        fabric.advance(Duration.ofMillis(1500));
        // The right key has ended the first lease; this begins the second.
        assertThat(asksInVain(leaf)).isTrue();
        fabric.advance(Duration.ofMillis(2500));
        assertThat(asksInVain(leaf)).isFalse();
    }

    private boolean asksInVain(PlainManager.Found node) {
        return manager.ask(MadMethod.GET, NodeInfo.ATTRIBUTE_ID, 0, new byte[0], node.path) == null;
    }

    @Test
    void countersAreThoseOfTheDataPlaneAndCanBeSet() {
        manager.bringUp();
        shift();
        int lid = subnet.lid(1);
        Map<String, Long> counts = fabric.counters("host 1").getFirst().counts();

        MemorySegment wide = perf(lid, MadMethod.GET, PortCountersExtended.ATTRIBUTE_ID, 1, 0);
        assertThat(PortCountersExtended.XMIT_DATA.read(wide, Smp.DATA))
                .isEqualTo(counts.get("PortXmitData"))
                .isGreaterThan(BYTES / 4);
        MemorySegment narrow = perf(lid, MadMethod.GET, PortCounters.ATTRIBUTE_ID, 1, 0);
        assertThat(PortCounters.RCV_PKTS.read(narrow, Smp.DATA))
                .isEqualTo(counts.get("PortRcvPkts"));

        perf(lid, MadMethod.SET, PortCounters.ATTRIBUTE_ID, 1, 1 << 12);
        narrow = perf(lid, MadMethod.GET, PortCounters.ATTRIBUTE_ID, 1, 0);
        assertThat(PortCounters.XMIT_DATA.read(narrow, Smp.DATA)).isZero();
        assertThat(PortCounters.RCV_PKTS.read(narrow, Smp.DATA))
                .isEqualTo(counts.get("PortRcvPkts"));
    }

    @Test
    void allPortsOfASwitchAreSummed() {
        manager.bringUp();
        shift();
        int lid = subnet.lid(4);

        MemorySegment all = perf(lid, MadMethod.GET, PortCountersExtended.ATTRIBUTE_ID, 255, 0);

        assertThat(PortCountersExtended.XMIT_PKTS.read(all, Smp.DATA)).isEqualTo(sent("leaf 0"));
        MemorySegment none = perf(lid, MadMethod.GET, PortCountersExtended.ATTRIBUTE_ID, 5, 0);
        assertThat(Mad.status(none, 0)).isEqualTo(MadStatus.INVALID_VALUE);
        MemorySegment other = perf(lid, MadMethod.GET, 0x36, 1, 0);
        assertThat(Mad.status(other, 0)).isEqualTo(MadStatus.ATTRIBUTE_UNSUPPORTED);
        MemorySegment group = perf(lid, MadMethod.GET, ClassPortInfo.ATTRIBUTE_ID, 1, 0);
        assertThat(ClassPortInfo.CAPABILITY_MASK.read(group, Smp.DATA)).isEqualTo(0x1500);
    }

    private MemorySegment perf(int lid, int method, int attribute, int select, int counters) {
        byte[] data = new byte[64];
        MemorySegment bytes = MemorySegment.ofArray(data);
        PortCounters.PORT_SELECT.write(bytes, 0, select);
        PortCounters.COUNTER_SELECT.write(bytes, 0, counters);
        MemorySegment mad =
                manager.request(ManagementClass.PERFORMANCE, method, attribute, 0, data);
        return Objects.requireNonNull(
                manager.send(new MadEnvelope(lid, 0, 1, 1), mad), "an answer");
    }

    @Test
    void tablesAreReadAsTheyWereWritten() {
        manager.bringUp();
        PlainManager.Found leaf = switchOf(0);
        for (int[] table :
                new int[][] {
                    {SmpBlocks.PKEY_TABLE, 3 << 16},
                    {SmpBlocks.SL_TO_VL, 2 << 8 | 3},
                    {SmpBlocks.VL_ARBITRATION, 3 << 16 | 2},
                    {SmpBlocks.LINEAR_FORWARDING, 700},
                    {SmpBlocks.MULTICAST_FORWARDING, 5}
                }) {
            byte[] data = new byte[64];
            int length = table[0] == SmpBlocks.SL_TO_VL ? 8 : 64;
            for (int i = 0; i < length; i++) {
                data[i] = (byte) (i * 3);
            }
            assertThat(manager.set(table[0], table[1], data, leaf.path)).isZero();
            assertThat(PlainManager.data(manager.get(table[0], table[1], leaf.path)))
                    .isEqualTo(data);
        }
        assertThat(manager.set(SmpBlocks.LINEAR_FORWARDING, 768, new byte[64], leaf.path))
                .isEqualTo(MadStatus.INVALID_VALUE);
        assertThat(manager.set(SmpBlocks.MULTICAST_FORWARDING, 32, new byte[64], leaf.path))
                .isEqualTo(MadStatus.INVALID_VALUE);
        assertThat(manager.set(SmpBlocks.PKEY_TABLE, 1, new byte[64], leaf.path))
                .isEqualTo(MadStatus.INVALID_VALUE);
        assertThat(manager.set(NodeInfo.ATTRIBUTE_ID, 0, new byte[64], leaf.path))
                .isEqualTo(MadStatus.ATTRIBUTE_UNSUPPORTED);
    }

    @Test
    void aHostTakesThePartitionsThatWereWritten() {
        manager.bringUp();
        byte[] keys = new byte[64];
        SmpBlocks.pkey(MemorySegment.ofArray(keys), 0, 0, 0x7FFF);
        SmpBlocks.pkey(MemorySegment.ofArray(keys), 0, 1, 0x8123);
        int[] path = manager.byGuid(NetfileText.guid(2)).path;
        assertThat(manager.set(SmpBlocks.PKEY_TABLE, 0, keys, path)).isZero();

        assertThat(fabric.open(2).portSettings().partitionKeys()).containsExactly(0x7FFF, 0x8123);
    }

    @Test
    void aRouteCanBeginByLidAndGoOnByPorts() {
        manager.bringUp();
        MemorySegment mad =
                manager.request(PlainManager.DIRECTED, MadMethod.GET, NodeInfo.ATTRIBUTE_ID, 0);
        Smp.route(mad, 0, 2);
        DirectedRoute.DR_SLID.write(mad, 0, subnet.lid(0));

        MemorySegment answer =
                Objects.requireNonNull(
                        manager.send(new MadEnvelope(subnet.lid(5), subnet.lid(0), 0, 0), mad),
                        "an answer");

        assertThat(NodeInfo.NODE_GUID.read(answer, Smp.DATA)).isEqualTo(NetfileText.guid(3));
    }

    @Test
    void aDisabledPortHasNoLinkAtEitherEnd() {
        manager.bringUp();
        PlainManager.Found leaf = switchOf(0);
        byte[] info = PlainManager.data(manager.get(PortInfo.ATTRIBUTE_ID, 3, leaf.path));
        MemorySegment bytes = MemorySegment.ofArray(info);
        PortInfo.PORT_STATE.write(bytes, 0, 0);
        PortInfo.PORT_PHYSICAL_STATE.write(bytes, 0, 3);
        assertThat(manager.set(PortInfo.ATTRIBUTE_ID, 3, info, leaf.path)).isZero();
        assertThat(subnet.portState(4, 3)).isEqualTo(1);
        assertThat(subnet.portState(6, 1)).isEqualTo(1);

        PortInfo.PORT_PHYSICAL_STATE.write(bytes, 0, 2);
        assertThat(manager.set(PortInfo.ATTRIBUTE_ID, 3, info, leaf.path)).isZero();
        assertThat(subnet.portState(4, 3)).isEqualTo(2);
        assertThat(subnet.portState(6, 1)).isEqualTo(2);
    }

    @Test
    void anEthernetFabricHasNoSubnetManager() {
        Fabric other = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);

        assertThatThrownBy(other::subnet)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Ethernet");
    }

    @Test
    void aCircleOfTablesIsLeftAfter64Hops() {
        manager.bringUp();
        int unused = 20;
        for (PlainManager.Found node : manager.sorted()) {
            if (node.isSwitch) {
                byte[] info = PlainManager.data(manager.get(SwitchInfo.ATTRIBUTE_ID, 0, node.path));
                SwitchInfo.LINEAR_FDB_TOP.write(MemorySegment.ofArray(info), 0, unused);
                manager.set(SwitchInfo.ATTRIBUTE_ID, 0, info, node.path);
                byte[] block =
                        PlainManager.data(manager.get(SmpBlocks.LINEAR_FORWARDING, 0, node.path));
                boolean isLeaf = node.ports == 4;
                block[unused] = (byte) (isLeaf ? 3 : 1);
                manager.set(SmpBlocks.LINEAR_FORWARDING, 0, block, node.path);
            }
        }

        manager.askLid(unused, MadMethod.GET, NodeInfo.ATTRIBUTE_ID, 0);

        assertThat(manager.dropped).containsExactly(Delivery.LOOP);
    }

    @Test
    void datagramsToNowhereEndWithTheReason() {
        manager.bringUp();
        manager.askLid(999, MadMethod.GET, NodeInfo.ATTRIBUTE_ID, 0);
        manager.ask(MadMethod.GET, NodeInfo.ATTRIBUTE_ID, 0, new byte[0], 1, 77);
        manager.ask(MadMethod.GET, NodeInfo.ATTRIBUTE_ID, 0, new byte[0], 1, 1, 1);
        MemorySegment foreign = manager.request(0x09, MadMethod.GET, 1, 0);
        manager.send(new MadEnvelope(subnet.lid(2), 0, 1, 1), foreign);

        assertThat(manager.dropped)
                .containsExactly(
                        Delivery.NO_ROUTE,
                        Delivery.NO_LINK,
                        Delivery.NO_LINK,
                        Delivery.NO_RECEIVER);
    }
}
