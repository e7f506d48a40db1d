package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InnerNetworkTest {
    private static final long LATENCY_PS = 600_000;
    private static final Rate RATE = Rate.gbits(4000);

    private static Fabric fabric(String kind) {
        FabricSettings usual = kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
        Topology outer = FatTree.single(4).topology();
        return new Fabric(
                new InnerNetwork(2, 3, RATE, LATENCY_PS).beside(outer),
                usual.withNic(NicProfile.ADAPTER_400G));
    }

    /// Port of a rank within its host.
    private static int port(int host, int rank) {
        return 4 + host * 3 + rank;
    }

    private static long receivedBy(Fabric fabric, String name) {
        return fabric.counters(name).getFirst().counts().getOrDefault("rx_packets", 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aMessageTakesItsBytesAtTheRateAndTheLatency(String kind) {
        Fabric fabric = fabric(kind);
        FlowRun run = Anchor.run(fabric, List.of(flow(0, 1)));
        double wire = fabric.settings().framing().wireBytes(16 + 4096, 4096, false);
        double packetsPs = 256 * wire * 8000 / 4000;
        // The acknowledgement takes the latency too. Beside it there are the header of the message,
        // and the first bits that a switch waits for.
        double leastPs = packetsPs + 2 * LATENCY_PS;
        assertThat((double) run.endPs(0)).isBetween(leastPs, leastPs + 2000);
    }

    private static Flow flow(int from, int to) {
        return Flow.of(port(0, from), port(0, to), 1 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void twoRanksThatSendToOneShareItsPort(String kind) {
        Fabric fabric = fabric(kind);
        FlowRun run = Anchor.run(fabric, List.of(flow(0, 2), flow(1, 2)));
        double wire = fabric.settings().framing().wireBytes(16 + 4096, 4096, false);
        double bothPs = 512 * wire * 8000 / 4000;
        double leastPs = bothPs + 2 * LATENCY_PS;
        assertThat((double) Math.max(run.endPs(0), run.endPs(1)))
                .isBetween(leastPs, leastPs + 5000);
        assertThat(fabric.counts().drops()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void itIsApartFromTheFabricAndFromOtherHosts(String kind) {
        Fabric fabric = fabric(kind);
        Stream stream = new Stream(fabric);
        stream.send(port(0, 0), port(0, 1), 0, 3, 0);
        stream.send(port(0, 0), port(1, 1), 0, 4, 0);
        stream.send(port(0, 0), 2, 0, 5, 0);
        stream.send(1, port(0, 1), 0, 6, 0);
        fabric.run(1_000_000_000);
        assertThat(receivedBy(fabric, "host 0 gpu 1")).isEqualTo(3);
        assertThat(receivedBy(fabric, "host 1 gpu 1")).isZero();
        assertThat(fabric.unreachablePackets() + fabric.counts().drops()).isEqualTo(15);
    }

    @Test
    void theHostsAroundKeepTheirNumbersNamesAndCables() {
        Topology outer = new Chain(2, 4).topology();
        Topology all = new InnerNetwork(2, 3, RATE, LATENCY_PS).beside(outer);
        assertThat(all.hosts()).isEqualTo(10);
        assertThat(all.switches()).isEqualTo(4);
        assertThat(all.freePorts()).isEqualTo(outer.freePorts());
        for (int host = 0; host < 4; host++) {
            assertThat(all.hostName(host)).isEqualTo(outer.hostName(host));
            assertThat(all.isInner(host)).isFalse();
        }
        assertThat(all.isInner(4)).isTrue();
        RouteWalk walk = new RouteWalk(all);
        assertThat(walk.fixed(0, 3)).isEqualTo(2);
        assertThat(walk.fixed(port(0, 0), port(0, 2))).isEqualTo(1);
        assertThat(walk.fixed(port(0, 0), port(1, 2))).isEqualTo(RouteWalk.LOST);
    }

    @Test
    void aHostOfOneRankHasNone() {
        assertThatThrownBy(() -> new InnerNetwork(4, 1, RATE, 0))
                .hasMessage("4 hosts of 1 ranks: use 1 host or more, of 2 to 1,000 ranks");
    }
}
