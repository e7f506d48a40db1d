package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Routing alone: streams of packets without acknowledgements, so that order does not matter.
class AdaptiveRoutingTest {
    private static final int HOSTS = 128;
    private static final int PACKETS = 489;
    private static final int QUEUE = 1 << 28;
    private static final long LOOK_PS = 100_000;
    private static final long WARM_PS = 100_000_000;
    private static final long MEASURED_PS = 400_000_000;

    static FabricSettings roce(Routing routing) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) Anchor.ethernet().kind();
        return Anchor.ethernet().withKind(kind.withRouting(routing));
    }

    static FabricSettings infiniBand(Routing routing) {
        FabricKind.InfiniBand kind = (FabricKind.InfiniBand) Anchor.infiniBand().kind();
        return Anchor.infiniBand(kind.withRouting(routing));
    }

    static Routing adaptive() {
        return Routing.of(FabricKind.Spread.ADAPTIVE);
    }

    /// When the last packet of a permutation has come, in picoseconds.
    static long permutation(FabricSettings settings, long seed) {
        Fabric fabric = new Fabric(Anchor.tree128(), settings.withSeed(seed));
        Stream stream = new Stream(fabric);
        for (Flow flow : Patterns.permutation(HOSTS, 1, seed)) {
            stream.send(flow.source(), flow.destination(), 0, PACKETS, 0);
        }
        while (received(fabric) < (long) HOSTS * PACKETS) {
            fabric.run(fabric.nowPs() + LOOK_PS);
        }
        return fabric.nowPs();
    }

    private static long received(Fabric fabric) {
        long received = 0;
        for (int host = 0; host < HOSTS; host++) {
            received += fabric.nic(host).port().neighbour().sentPackets();
        }
        return received;
    }

    @Test
    void adaptiveRoutingIsFasterThanSprayingAndThatIsFasterThanAHash() {
        long adaptive = permutation(roce(adaptive()), 1);
        long sprayed = permutation(roce(Routing.of(FabricKind.Spread.SPRAY)), 1);
        long hashed = permutation(roce(Routing.ECMP), 1);

        // What htsim has, and 3 % more, without the way back: see RoutingValidation.
        assertThat(adaptive).isLessThan(52_600_000).isLessThan(sprayed);
        assertThat(2 * sprayed).isLessThan(hashed);
    }

    /// The part of what four hosts send that gets through four uplinks, of which one has a quarter
    /// of its rate on the way up.
    static double besideASlowUplink(FabricSettings settings) {
        Fabric fabric = new Fabric(FatTree.twoTiers(4, 2, 4).topology(), settings);
        Topology topology = fabric.topology();
        int cable = 0;
        while (!topology.isUplink(cable)) {
            cable++;
        }
        int leaf = topology.cable(cable, 0) == topology.switchOf(0) ? 0 : 1;
        fabric.fault(CableFault.slow(cable, CableFault.ONE_LANE).outOf(leaf));
        Stream stream = new Stream(fabric);
        for (int host = 0; host < 4; host++) {
            stream.send(host, 4 + host, 0, 20_000, 0);
        }
        fabric.run(WARM_PS);
        long before = arrived(fabric);
        fabric.run(WARM_PS + MEASURED_PS);
        return (double) (arrived(fabric) - before) * Anchor.P / MEASURED_PS / 4;
    }

    private static long arrived(Fabric fabric) {
        long arrived = 0;
        for (int host = 4; host < 8; host++) {
            arrived += fabric.nic(host).port().neighbour().sentPackets();
        }
        return arrived;
    }

    /// Where ways are alike a random port does nearly as well: here only a look at queues does.
    @Test
    void aSlowUplinkGetsWhatItCanCarryAndNotItsTurn() {
        assertThat(besideASlowUplink(roce(adaptive()))).isBetween(0.80, 0.82);
        assertThat(besideASlowUplink(infiniBand(adaptive()))).isBetween(0.80, 0.82);
        assertThat(besideASlowUplink(roce(Routing.of(FabricKind.Spread.SPRAY)))).isLessThan(0.5);
    }

    @Test
    void groupsInForwardingTablesDoTheSameOnInfiniBand() {
        long adaptive = permutation(infiniBand(adaptive()), 1);
        long fixed = permutation(infiniBand(Routing.FIXED), 1);

        assertThat(2 * adaptive).isLessThan(fixed);
    }

    @Test
    void aSubnetManagerAndGroupsExcludeEachOther() {
        Fabric fabric = new Fabric(Anchor.tree128(), infiniBand(adaptive()));
        assertThatThrownBy(fabric::subnet).hasMessageContaining("leave out adaptive routing");
    }

    /// The slowest of a permutation of writes that nothing pauses, in microseconds.
    static double writes(Routing routing) {
        FabricKind.Ethernet kind =
                FabricKind.Ethernet.DEFAULT
                        .withRouting(routing)
                        .withBuffer(BufferSettings.fixed(QUEUE, QUEUE, BufferSettings.UNLIMITED));
        Fabric fabric = new Fabric(Anchor.tree128(), Anchor.ethernet().withKind(kind));
        List<Flow> flows = Patterns.permutation(HOSTS, (long) PACKETS * Anchor.PAYLOAD, 1);
        long[] times = Anchor.run(fabric, flows).timesPs();
        return times[times.length - 1] / 1e6;
    }

    @Test
    void pacedWritesNeverPauseLongEnoughForAFlowlet() {
        double hashed = writes(Routing.ECMP);
        Routing flowlets = Routing.of(FabricKind.Spread.FLOWLET).withFlowletGapPs(10_000_000);
        double changed = writes(flowlets);
        assertThat(changed).isBetween(0.95 * hashed, 1.05 * hashed);
    }

    @Test
    void aConnectionThatWasSilentTakesAnotherWay() {
        Clock clock = new Clock();
        RouteChooser flowlets = new FlowletChooser(7, 1000, clock);
        short[] ports = {4, 5, 6, 7};
        long tag = Tag.of(9, 4160, 77);
        Set<Integer> taken = new HashSet<>();
        for (int flowlet = 0; flowlet < 40; flowlet++) {
            int first = flowlets.choose(tag, ports);
            taken.add(first);
            for (int packet = 0; packet < 10; packet++) {
                clock.run(clock.nowPs() + 1000);
                assertThat(flowlets.choose(tag, ports)).isEqualTo(first);
            }
            clock.run(clock.nowPs() + 1001);
        }
        assertThat(taken).containsExactlyInAnyOrder(4, 5, 6, 7);
    }
}
