package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.LinkLayer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bytes counted at ports are the payload and the headers around it, and none is lost on the way.
class ConservationTest {
    private static final long END_PS = 5_000_000_000_000L;
    private static final long[] SIZES = {
        1, 3, 4, 63, 255, 256, 257, 1023, 1024, 4095, 4096, 4097, 65_536, 100_003, 1 << 20
    };

    /// Ethernet, IPv4, UDP and the checksum of the frame; preamble and gap are not counted.
    private static final int ETHERNET = 14 + 20 + 8 + 4;

    private static final int SHORTEST = 64;
    private static final int LRH = 8;
    private static final int BTH = 12;
    private static final int RETH = 16;
    private static final int AETH = 4;
    private static final int ICRC = 4;

    private static Fabric fabric(LinkLayer layer, Topology topology, int mtu) {
        FabricSettings settings =
                layer == LinkLayer.ETHERNET ? FabricSettings.ROCE : FabricSettings.INFINIBAND;
        return new Fabric(topology, settings.withMtu(mtu));
    }

    private static void run(Fabric fabric, List<Flow> flows) {
        FlowRun run =
                new FlowRun(fabric, flows, it -> it.ackRequestEvery(1).windowPackets(1 << 20));
        assertThat(run.run(END_PS)).isTrue();
    }

    /// A packet as the counters of a port count it.
    private static long counted(LinkLayer layer, long transportBytes) {
        return layer == LinkLayer.ETHERNET
                ? Math.max(SHORTEST, ETHERNET + transportBytes)
                : LRH + transportBytes;
    }

    /// The packets of a WRITE: BTH in each, RETH in the first, payload in multiples of four.
    private static long writes(LinkLayer layer, long bytes, int mtu) {
        long sum = 0;
        for (long at = 0; at < bytes; at += mtu) {
            long payload = Math.ceilDiv(Math.min(mtu, bytes - at), 4) * 4;
            sum += counted(layer, BTH + (at == 0 ? RETH : 0) + payload + ICRC);
        }
        return sum;
    }

    private static Map<String, Long> port(Fabric fabric, String node, int port) {
        return fabric.counters(node).get(port).counts();
    }

    private static long sent(Fabric fabric, String node, int port) {
        Map<String, Long> counts = port(fabric, node, port);
        return counts.containsKey("PortXmitData")
                ? 4 * counts.get("PortXmitData")
                : counts.getOrDefault("tx_prio0_bytes", 0L);
    }

    private static long received(Fabric fabric, String node, int port) {
        Map<String, Long> counts = port(fabric, node, port);
        return counts.containsKey("PortRcvData")
                ? 4 * counts.get("PortRcvData")
                : counts.getOrDefault("rx_prio0_bytes", 0L);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    void bytesAtPortsArePayloadAndHeaders(int mtu) {
        for (LinkLayer layer : LinkLayer.values()) {
            for (long bytes : SIZES) {
                Fabric fabric = fabric(layer, FatTree.single(2).topology(), mtu);
                run(fabric, List.of(Flow.of(0, 1, bytes)));

                String run = layer + ", " + bytes + " bytes, MTU " + mtu;
                long there = writes(layer, bytes, mtu);
                long back = Math.ceilDiv(bytes, mtu) * counted(layer, BTH + AETH + ICRC);
                assertThat(sent(fabric, "host 0", 0)).as(run).isEqualTo(there);
                assertThat(received(fabric, "leaf 0", 0)).as(run).isEqualTo(there);
                assertThat(sent(fabric, "leaf 0", 1)).as(run).isEqualTo(there);
                assertThat(received(fabric, "host 1", 0)).as(run).isEqualTo(there);
                assertThat(sent(fabric, "host 1", 0)).as(run).isEqualTo(back);
                assertThat(received(fabric, "host 0", 0)).as(run).isEqualTo(back);
            }
        }
    }

    @Test
    void whatHostsSendArrivesAtHosts() {
        for (LinkLayer layer : LinkLayer.values()) {
            int hosts = 24;
            Fabric fabric = fabric(layer, FatTree.ofRadix(hosts, 3, 8, 1).topology(), 1024);
            run(fabric, Patterns.permutation(hosts, 50_000, 7));

            long there = hosts * writes(layer, 50_000, 1024);
            long back = hosts * 49L * counted(layer, BTH + AETH + ICRC);
            long sent = 0;
            long received = 0;
            for (int i = 0; i < hosts; i++) {
                sent += sent(fabric, "host " + i, 0);
                received += received(fabric, "host " + i, 0);
            }
            assertThat(sent).as(layer.name()).isEqualTo(there + back);
            assertThat(received).as(layer.name()).isEqualTo(there + back);
        }
    }

    @Test
    void aPacketThatDoesNotArriveWasDropped() {
        BufferSettings small = new BufferSettings(100_000, 0, 0, 8192, 0, 0.25);
        FabricKind.Ethernet kind = FabricKind.Ethernet.DEFAULT.withBuffer(small);
        Fabric fabric =
                new Fabric(FatTree.single(4).topology(), FabricSettings.ROCE.withKind(kind));
        run(fabric, Patterns.incast(4, 3, 300_000));

        long sent = 0;
        long received = 0;
        for (int i = 0; i < 4; i++) {
            Map<String, Long> counts = port(fabric, "host " + i, 0);
            sent += counts.getOrDefault("tx_prio0_packets", 0L);
            received += counts.getOrDefault("rx_prio0_packets", 0L);
        }
        assertThat(fabric.counts().drops()).isPositive();
        assertThat(fabric.counts().injected()).isEqualTo(sent);
        assertThat(sent - received).isEqualTo(fabric.counts().drops());
    }
}
