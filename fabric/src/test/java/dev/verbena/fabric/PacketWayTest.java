package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The ways that are named are those that packets take.
class PacketWayTest {
    private static final int BYTES = 1 << 16;

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void packetsTakeTheWayThatIsNamed(String kind) {
        for (int seed = 0; seed < 8; seed++) {
            FabricSettings settings =
                    (kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE)
                            .withSeed(seed);
            Fabric fabric = new Fabric(FatTree.threeTiers(2, 3).topology(), settings);
            int to = 1 + seed;
            try (TransportDevice left = fabric.open(0);
                    TransportDevice right = fabric.open(to)) {
                int[] ports = send(fabric, left, right, to);
                assertThat(ports).isNotEmpty();
                List<Integer> busy =
                        IntStream.range(0, 2 * fabric.topology().cables())
                                .filter(i -> sentBytes(fabric.ports().get(i)) >= BYTES)
                                .boxed()
                                .toList();
                assertThat(IntStream.of(ports).boxed().sorted().toList()).isEqualTo(busy);
                assertThat(ports[0]).isZero();
            }
        }
    }

    private static int[] send(
            Fabric fabric, TransportDevice left, TransportDevice right, int host) {
        ProtectionDomain domain = left.protectionDomain();
        ProtectionDomain other = right.protectionDomain();
        CompletionQueue done = left.completionQueue(4);
        CompletionQueue received = right.completionQueue(4);
        QueuePair from = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
        QueuePair to = other.queuePair(QueuePairType.RC, it -> it.completions(received));
        from.connect(to.endpoint());
        to.connect(from.endpoint());
        MemoryRegion out = domain.allocate(BYTES);
        MemoryRegion in = other.allocate(out.length(), Access.LOCAL_WRITE);
        to.postReceive(batch -> batch.receive(in.slice()));
        from.post(batch -> batch.send(out.slice()).signaled());
        done.await(Duration.ofSeconds(1), it -> assertThat(it.isSuccess()).isTrue());
        return new PacketWay(fabric).ports(0, host, from.number(), to.number());
    }

    /// Data, beside which acknowledgements are few.
    private static long sentBytes(PortCounts port) {
        return 4 * port.counts().getOrDefault("PortXmitData", 0L)
                + port.counts().getOrDefault("tx_prio0_bytes", 0L);
    }

    @Test
    void packetsThatTakeAllWaysInTurnHaveNone() {
        FabricKind.Ethernet usual = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        FabricSettings spray =
                FabricSettings.ROCE.withKind(usual.withSpread(FabricKind.Spread.SPRAY));
        Fabric fabric = new Fabric(FatTree.twoTiers(2, 2, 2).topology(), spray);
        assertThat(new PacketWay(fabric).ports(0, 3, 5, 6)).isEmpty();
        assertThat(new PacketWay(fabric).ports(0, 1, 5, 6)).isEmpty();
    }
}
