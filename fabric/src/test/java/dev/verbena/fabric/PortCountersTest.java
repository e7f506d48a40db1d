package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.PriorityMap;
import dev.verbena.verbs.InvalidRequestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PortCountersTest {
    private static final Topology FOUR = FatTree.single(4).topology();
    private static final int PACKETS = 400;
    private static final long END_PS = 60_000_000_000_000L;

    private static List<Flow> incast() {
        return List.of(
                Anchor.packets(1, 0, PACKETS),
                Anchor.packets(2, 0, PACKETS),
                Anchor.packets(3, 0, PACKETS));
    }

    private static Map<String, Long> only(Fabric fabric, String host) {
        return fabric.counters(host).getFirst().counts();
    }

    private static long count(Map<String, Long> counts, String name) {
        return counts.getOrDefault(name, 0L);
    }

    @Test
    void aFlowWithinASubnetHasNoGlobalHeader() {
        Fabric fabric = new Fabric(FOUR, FabricSettings.INFINIBAND);
        Anchor.run(fabric, List.of(Flow.of(1, 0, 4096)));

        // LRH, BTH, RETH, payload and ICRC; and with LRH, BTH, AETH and ICRC the acknowledgement.
        assertThat(only(fabric, "host 1"))
                .containsEntry("PortXmitData", (8 + 12 + 16 + 4096 + 4) / 4L)
                .containsEntry("PortRcvData", (8 + 12 + 4 + 4) / 4L);
    }

    @Test
    void pausesAreCountedAtBothEndsUnderTheNamesOfEthtool() {
        Fabric fabric = new Fabric(FOUR, Anchor.ethernet());
        Anchor.run(fabric, incast());

        Map<String, Long> sender = only(fabric, "host 1");
        Map<String, Long> facing = fabric.counters("leaf 0").get(1).counts();
        assertThat(sender).containsEntry("tx_prio0_packets", (long) PACKETS);
        assertThat(sender).containsEntry("tx_prio0_bytes", PACKETS * 4160L);
        assertThat(facing).containsEntry("rx_prio0_packets", (long) PACKETS);
        assertThat(count(sender, "rx_prio0_pause"))
                .isPositive()
                .isEqualTo(count(facing, "tx_prio0_pause"));
        // Two thirds of the time that all packets take belong to the others.
        long us = 3L * PACKETS * Anchor.P / 1_000_000;
        assertThat(count(sender, "rx_prio0_pause_duration")).isBetween(us / 4, us);
        assertThat(facing)
                .doesNotContainKey("rx_prio0_discards")
                .doesNotContainKey("rx_prio1_pause");
    }

    @Test
    void waitingForCreditIsCountedUnderTheNamesOfPerfquery() {
        Fabric fabric = new Fabric(FOUR, Anchor.infiniBand());
        Anchor.run(fabric, incast());

        Map<String, Long> sender = only(fabric, "host 1");
        Map<String, Long> receiver = only(fabric, "host 0");
        assertThat(sender)
                .containsEntry("PortXmitPkts", (long) PACKETS)
                .containsEntry("PortVLOpPackets0", (long) PACKETS)
                .containsEntry("PortRcvPkts", (long) PACKETS)
                .containsEntry("PortXmitData", PACKETS * (4160L - 2) / 4);
        assertThat(receiver).containsEntry("PortRcvPkts", 3L * PACKETS);
        // A tick is the time of four bytes: 80 ps. All but the sender's own turns is waiting,
        // once its credits are used up.
        long ticks = 3L * PACKETS * Anchor.P / 80;
        assertThat(count(sender, "PortXmitWait")).isBetween(ticks / 4, ticks);
        assertThat(count(sender, "PortVLXmitWait0")).isEqualTo(count(sender, "PortXmitWait"));
    }

    @Test
    void thePeakOfAQueueIsThatSinceItWasLastRead() {
        Fabric fabric = new Fabric(FOUR, Anchor.ethernet());
        int packets = 10;
        Anchor.run(
                fabric,
                List.of(
                        Anchor.packets(1, 0, packets),
                        Anchor.packets(2, 0, packets),
                        Anchor.packets(3, 0, packets)));

        List<PortCounts> ports = fabric.ports();
        long[] peaks = fabric.takeQueuePeaks();
        for (int port = 0; port < peaks.length; port++) {
            boolean isTowardReceiver = ports.get(port).neighbour().equals("host 0");
            // The way through the switch takes as long as seven packets: when the last have
            // arrived, three have left. Other ports never have two to send.
            assertThat(peaks[port] / 4160.0)
                    .isBetween(isTowardReceiver ? 27.0 : 0.0, isTowardReceiver ? 27.0 : 1.1);
        }
        assertThat(fabric.takeQueuePeaks()).containsOnly(0);
    }

    @Test
    void trafficWithTheWrongDscpLeavesTheLosslessPriority() {
        BufferSettings lossless3 =
                new BufferSettings(1 << 20, 1 << 3, 100_000, 50_000, 200_000, 0.5);
        FabricSettings settings =
                Anchor.ethernet()
                        .withKind(
                                FabricKind.Ethernet.DEFAULT
                                        .withBuffer(lossless3)
                                        .withPriorities(PriorityMap.BY_DSCP));
        for (int dscp : new int[] {26, 0}) {
            Fabric fabric = new Fabric(FOUR, settings);
            FlowRun run =
                    new FlowRun(
                            fabric,
                            incast(),
                            it -> it.windowPackets(1 << 20),
                            it -> it.address(it.address().withTrafficClass(dscp << 2)));
            assertThat(run.run(END_PS)).isTrue();
            Map<String, Long> facing = fabric.counters("leaf 0").get(1).counts();
            int priority = dscp / 8;
            assertThat(count(facing, "rx_prio" + priority + "_packets")).isPositive();
            assertThat(count(facing, "tx_prio3_pause") > 0).isEqualTo(dscp == 26);
            long discards = 0;
            for (PortCounts port : fabric.counters("leaf 0")) {
                discards += count(port.counts(), "rx_prio" + priority + "_discards");
            }
            assertThat(discards).isEqualTo(fabric.counts().drops());
            assertThat(discards > 0).isEqualTo(dscp == 0);
        }
    }

    @Test
    void aNodeThatIsNotThereIsRefusedWithOneThatIs() {
        Fabric fabric = new Fabric(FOUR, Anchor.ethernet());
        assertThatThrownBy(() -> fabric.counters("spine 9"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("spine 9")
                .hasMessageContaining("leaf 0");
    }
}
