package dev.verbena.fabric;

import static dev.verbena.fabric.TcpWorld.DATA;
import static dev.verbena.fabric.TcpWorld.LOSSLESS;
import static dev.verbena.fabric.TcpWorld.LOSSY;
import static dev.verbena.fabric.TcpWorld.MS;
import static dev.verbena.fabric.TcpWorld.SEGMENT;
import static dev.verbena.fabric.TcpWorld.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.InternetChecksum;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Several flows of TCP, and TCP beside RDMA.
class TcpMixTest {
    private static final Rate LINE = Rate.gbits(100);
    private static final Rate SLOW = Rate.gbits(10);
    private static final long ENDLESS = 10L << 30;

    private static long[] delivered(List<TcpFlow> flows) {
        return flows.stream().mapToLong(TcpFlow::deliveredBytes).toArray();
    }

    @Test
    void twoFlowsShareABottleneck() {
        TcpSettings quick = TcpSettings.DEFAULT.withMinTimeoutPs(5 * MS);
        for (int delayUs : new int[] {5, 20, 50}) {
            Fabric fabric =
                    new Fabric(
                            TcpWorld.bottleneck(2, SLOW),
                            TcpWorld.settings(delayUs * US, 50 * DATA));
            Flow late = Flow.of(1, 2, ENDLESS).startingAt(5 * MS);
            List<TcpFlow> flows =
                    List.of(
                            TcpFlow.start(fabric, Flow.of(0, 2, ENDLESS), LOSSY, quick),
                            TcpFlow.start(fabric, late, LOSSY, quick));
            fabric.run(50 * MS);
            long[] before = delivered(flows);
            fabric.run(550 * MS);
            double one = delivered(flows)[0] - before[0];
            double other = delivered(flows)[1] - before[1];

            double jain = (one + other) * (one + other) / (2 * (one * one + other * other));
            assertThat(jain).as("%d us", delayUs).isGreaterThan(0.95);
            assertThat(TcpWorld.part((long) (one + other), 500 * MS, SLOW))
                    .as("%d us", delayUs)
                    .isBetween(0.9, 1.001);
        }
    }

    @Test
    void flowsOfOneNicTakeTurns() {
        Fabric fabric = new Fabric(FatTree.single(4).topology(), TcpWorld.settings(US, 64 << 20));
        List<TcpFlow> flows =
                IntStream.rangeClosed(1, 3)
                        .mapToObj(to -> TcpFlow.start(fabric, 0, to, LOSSY, ENDLESS, 0))
                        .toList();
        fabric.run(10 * MS);
        long[] delivered = delivered(flows);

        assertThat(TcpWorld.part(3 * delivered[0], 10 * MS, LINE)).isBetween(0.98, 1.0);
        // The first may be ahead by its first window.
        int window = 10 * SEGMENT;
        assertThat(delivered[1]).isBetween(delivered[0] - window, delivered[0]);
        assertThat(delivered[2]).isBetween(delivered[0] - window, delivered[0]);
    }

    @Test
    void answersThatWaitBehindOtherPacketsAreNoDuplicates() {
        Fabric fabric = new Fabric(FatTree.single(6).topology(), TcpWorld.settings(US, 64 << 20));
        for (int to = 2; to < 6; to++) {
            TcpFlow.start(fabric, 1, to, LOSSY, ENDLESS, 0);
        }
        TcpFlow flow = TcpFlow.start(fabric, 0, 1, LOSSY, ENDLESS, 0);
        fabric.run(5 * MS);

        assertThat(TcpWorld.part(flow.deliveredBytes(), 5 * MS, LINE)).isBetween(0.95, 1.0);
        assertThat(flow.retransmitted() + flow.cuts()).isZero();
    }

    @Test
    void inALosslessPriorityNothingIsLost() {
        Fabric fabric = new Fabric(FatTree.single(5).topology(), TcpWorld.paused(US, 2 << 20));
        List<TcpFlow> flows =
                IntStream.range(0, 4)
                        .mapToObj(from -> TcpFlow.start(fabric, from, 4, LOSSLESS, 20 << 20, 0))
                        .toList();
        fabric.run(100 * MS);

        assertThat(fabric.counts().drops()).isZero();
        assertThat(fabric.counts().pauses()).isPositive();
        for (TcpFlow flow : flows) {
            assertThat(flow.deliveredBytes()).isEqualTo(20 << 20);
            assertThat(flow.retransmitted() + flow.timeouts() + flow.cuts()).isZero();
        }
    }

    @Test
    void allBytesArriveInOrderHoweverManyPacketsAreLost() {
        Fabric fabric =
                new Fabric(FatTree.twoTiers(4, 2, 2).topology(), TcpWorld.settings(US, 30 * DATA));
        TcpSettings quick = TcpSettings.DEFAULT.withMinTimeoutPs(MS);
        List<TcpFlow> flows = new ArrayList<>();
        for (int from = 0; from < 7; from++) {
            Flow flow = Flow.of(from, 7, 3_000_001 + from).startingAt(from * US);
            flows.add(TcpFlow.start(fabric, flow, LOSSY, quick));
        }
        fabric.run(10_000 * MS);

        for (int i = 0; i < flows.size(); i++) {
            assertThat(flows.get(i).deliveredBytes()).isEqualTo(3_000_001 + i);
            assertThat(flows.get(i).endPs()).isPositive();
        }
        assertThat(fabric.counts().drops()).isGreaterThan(50);
        // Nothing is left in the network.
        assertThat(fabric.pool().out()).isZero();
        long sent = 0;
        long received = 0;
        for (int host = 0; host < 8; host++) {
            var counts = fabric.counters("host " + host).getFirst().counts();
            sent += counts.getOrDefault("tx_prio0_packets", 0L);
            received += counts.getOrDefault("rx_prio0_packets", 0L);
        }
        assertThat(sent - received).isEqualTo(fabric.counts().drops());
    }

    private static List<Object> trace() {
        Fabric fabric =
                new Fabric(FatTree.twoTiers(4, 2, 2).topology(), TcpWorld.settings(US, 30 * DATA));
        List<Object> trace = new ArrayList<>();
        List<TcpFlow> flows = new ArrayList<>();
        for (int from = 0; from < 6; from++) {
            flows.add(TcpFlow.start(fabric, from, 7, LOSSY, 2_000_000, 0));
        }
        fabric.run(5_000 * MS);
        for (TcpFlow flow : flows) {
            trace.addAll(List.of(flow.endPs(), flow.retransmitted(), flow.cuts()));
        }
        trace.add(fabric.events());
        return trace;
    }

    @Test
    void theSameRunEndsTheSame() {
        assertThat(trace()).isEqualTo(trace());
    }

    /// Bytes of payload of TCP and of RDMA in 20 ms, host 0 with TCP and another with RDMA to the
    /// last host, as parts of the link.
    private static double[] beside(int hosts, int rdmaFrom, int tcpClass, NicProfile nic) {
        FabricSettings settings = TcpWorld.paused(US, 2 << 20).withNic(nic);
        Fabric fabric = new Fabric(FatTree.single(hosts).topology(), settings);
        int to = hosts - 1;
        List<Flow> writes = List.of(Flow.of(rdmaFrom, to, 1L << 30).inClass(LOSSLESS));
        FlowRun rdma = new FlowRun(fabric, writes, it -> {});
        assertThat(rdma.endPs(0)).isEqualTo(FlowRun.NOT_YET);
        TcpFlow tcp = TcpFlow.start(fabric, 0, to, tcpClass, ENDLESS, 0);
        OutPort port = fabric.node(hosts).port(to);
        fabric.run(10 * MS);
        long bytes = tcp.deliveredBytes();
        long wire = port.sentBytes();
        fabric.run(30 * MS);
        double tcpPart = TcpWorld.part(tcp.deliveredBytes() - bytes, 20 * MS, LINE);
        double all = (double) (port.sentBytes() - wire) * 80 / (20 * MS);
        return new double[] {tcpPart, all - tcpPart};
    }

    @Test
    void rdmaKeepsItsShareBesideTcpInAnotherClass() {
        double[] parts = beside(3, 1, LOSSY, NicProfile.IDEAL);

        assertThat(parts[1]).isBetween(0.45, 0.60);
        assertThat(parts[0] + parts[1]).isBetween(0.97, 1.001);
    }

    @Test
    void inTheSameLosslessClassBothAreHeldUpAlike() {
        double[] parts = beside(3, 1, LOSSLESS, NicProfile.IDEAL);

        assertThat(parts[1]).isBetween(0.4, 0.6);
        assertThat(parts[0] + parts[1]).isBetween(0.97, 1.001);
    }

    @Test
    void inOneLaneOfANicTheyTakeTurns() {
        NicProfile slow = new NicProfile(0, 0, 400_000, 0);
        for (NicProfile nic : List.of(NicProfile.IDEAL, slow)) {
            for (int tcpClass : new int[] {LOSSLESS, LOSSY}) {
                double[] parts = beside(2, 0, tcpClass, nic);
                String run = nic + ", class " + tcpClass;

                double all = parts[0] + parts[1];
                assertThat(parts[0] / all).as(run).isBetween(0.48, 0.52);
                assertThat(all).as(run).isGreaterThan(nic.equals(slow) ? 0.8 : 0.97);
            }
        }
    }

    @Test
    void lanesOfASlowNicTakeTurns() {
        NicProfile slow = new NicProfile(0, 0, 400_000, 0);
        FabricSettings settings = TcpWorld.paused(US, 16 << 20).withNic(slow);
        for (boolean hasRdma : new boolean[] {false, true}) {
            Fabric fabric = new Fabric(FatTree.single(2).topology(), settings);
            if (hasRdma) {
                List<Flow> writes = List.of(Flow.of(0, 1, 1L << 30).inClass(LOSSLESS));
                FlowRun rdma = new FlowRun(fabric, writes, it -> {});
                assertThat(rdma.endPs(0)).isEqualTo(FlowRun.NOT_YET);
            }
            List<TcpFlow> flows =
                    List.of(
                            TcpFlow.start(fabric, 0, 1, 0, ENDLESS, 0),
                            TcpFlow.start(fabric, 0, 1, 1, ENDLESS, 0));
            fabric.run(10 * MS);

            long packets = 10 * MS / slow.packetGapPs();
            double share = hasRdma ? 1 / 3.0 : 1 / 2.0;
            for (long bytes : delivered(flows)) {
                assertThat((double) bytes / SEGMENT / packets).isBetween(share - 0.02, share);
            }
        }
    }

    @Test
    void aFlowKeepsToOneOfTheEqualWays() {
        int spines = 4;
        Fabric fabric =
                new Fabric(
                        FatTree.twoTiers(1, 2, spines).topology(), TcpWorld.settings(US, 64 << 20));
        int ways = 0;
        for (int i = 0; i < 16; i++) {
            long[] before = upwards(fabric, spines);
            TcpFlow.start(fabric, 0, 1, LOSSY, 50 * SEGMENT, fabric.nowPs());
            fabric.run(fabric.nowPs() + MS);
            long[] after = upwards(fabric, spines);
            int used = 0;
            for (int port = 0; port < spines; port++) {
                if (after[port] > before[port]) {
                    assertThat(after[port] - before[port]).isEqualTo(50);
                    used |= 1 << port;
                }
            }
            assertThat(Integer.bitCount(used)).isEqualTo(1);
            ways |= used;
        }
        assertThat(Integer.bitCount(ways)).isGreaterThan(1);
    }

    /// Packets of each way from the first leaf to the spines.
    private static long[] upwards(Fabric fabric, int spines) {
        return IntStream.rangeClosed(1, spines)
                .mapToLong(port -> fabric.node(2).port(port).sentPackets())
                .toArray();
    }

    @Test
    void switchesMarkNone() {
        FabricSettings settings = TcpWorld.settings(US, 64 << 20);
        FabricKind.Ethernet kind = (FabricKind.Ethernet) settings.kind();
        Fabric fabric =
                new Fabric(
                        FatTree.single(2).topology(),
                        settings.withKind(kind.withMarking(new Marking(0, 1, 1))));
        TcpFlow.start(fabric, 0, 1, LOSSY, 1 << 20, 0);
        fabric.run(MS);

        assertThat(fabric.congestion().marked()).isZero();
    }

    @Test
    void aCaptureHasWholeFramesWithRightChecksums() throws IOException {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), TcpWorld.settings(US, 64 << 20));
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CaptureWriter writer = PcapWriter.on(Channels.newChannel(file), LinkType.ETHERNET)) {
            fabric.capture(0, writer);
            TcpFlow.start(fabric, 0, 1, LOSSY, 2 * SEGMENT + 1, 0);
            fabric.run(MS);
        }
        List<String> frames = new ArrayList<>();
        try (CaptureReader reader =
                CaptureReader.open(
                        Channels.newChannel(new ByteArrayInputStream(file.toByteArray())))) {
            while (reader.next() == CaptureStatus.PACKET) {
                frames.add(describe(reader.packet()));
            }
        }
        assertThat(frames)
                .containsExactly(
                        "49152-40000 seq 0 ack 0, 4096",
                        "49152-40000 seq 4096 ack 0, 4096",
                        "49152-40000 seq 8192 ack 0, 1",
                        "40000-49152 seq 0 ack 8192, 0",
                        "40000-49152 seq 0 ack 8193, 0");
    }

    /// Checks the checksums on the way.
    private static String describe(MemorySegment frame) {
        long ip = Ethernet.LENGTH;
        assertThat(Ipv4.checksumIsRight(frame, ip)).isTrue();
        assertThat(Ipv4.protocol(frame, ip)).isEqualTo(6);
        int total = Ipv4.totalLength(frame, ip);
        assertThat(frame.byteSize()).isEqualTo(ip + total);
        int tcpBytes = total - Ipv4.LENGTH;
        long tcp = ip + Ipv4.LENGTH;
        MemorySegment even = MemorySegment.ofArray(new byte[(tcpBytes + 1) & ~1]);
        MemorySegment.copy(frame, tcp, even, 0, tcpBytes);
        long sum = InternetChecksum.add(6 + tcpBytes, frame, tcp - 8, 8);
        assertThat(InternetChecksum.fold(InternetChecksum.add(sum, even, 0, (int) even.byteSize())))
                .isZero();
        int headerBytes = (BigEndian.u8(frame, tcp + 12) >> 4) * 4;
        return "%d-%d seq %d ack %d, %d"
                .formatted(
                        BigEndian.u16(frame, tcp),
                        BigEndian.u16(frame, tcp + 2),
                        BigEndian.u32(frame, tcp + 4),
                        BigEndian.u32(frame, tcp + 8),
                        tcpBytes - headerBytes);
    }
}
