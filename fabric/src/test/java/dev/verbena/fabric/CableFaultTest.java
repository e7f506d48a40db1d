package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.PortState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What packets, credits and pauses do on a cable that is at fault.
class CableFaultTest {
    private static final long US = 1_000_000;
    private static final long END_PS = 1_000_000 * US;

    private static FabricSettings settings(String kind) {
        return kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
    }

    /// One switch; cable `n` is that of host `n`.
    private static Fabric fabric(String kind) {
        return new Fabric(FatTree.single(4).topology(), settings(kind));
    }

    private static FlowRun send(Fabric fabric, long bytes) {
        return send(fabric, bytes, 1);
    }

    private static FlowRun send(Fabric fabric, long bytes, int timeout) {
        return new FlowRun(
                fabric,
                List.of(Flow.of(0, 1, bytes)),
                it -> it.ackRequestEvery(64).windowPackets(1 << 20),
                it -> it.timeout(timeout));
    }

    private static long timePs(Fabric fabric, long bytes) {
        FlowRun run = send(fabric, bytes, 14);
        assertThat(run.run(END_PS)).isTrue();
        return run.timesPs()[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aSlowCableHasAQuarterOfItsRate(String kind) {
        Fabric slow = fabric(kind);
        slow.fault(CableFault.slow(1, CableFault.ONE_LANE));

        // A quarter of 400 Gb/s; 26 and 82 bytes are around each payload of 4,096.
        int around = kind.equals("ib") ? 26 : 82;
        double linePs = (8 << 20) / 4096.0 * (4096 + around) * 80;
        assertThat(timePs(slow, 8 << 20) / linePs).isBetween(1.0, 1.01);
        assertThat(slow.counts().lost()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aCableLosesTheShareOfPacketsThatIsAskedFor(String kind) {
        Fabric fabric = fabric(kind);
        fabric.fault(CableFault.loss(1, 0.01));
        FlowRun run = send(fabric, 32 << 20);

        assertThat(run.run(END_PS)).isTrue();
        assertThat(run.deliveredBytes()).isEqualTo(32 << 20);
        long sent = 0;
        for (PortCounts port : fabric.counters("host 1")) {
            sent += port.counts().getOrDefault("tx_prio0_packets", 0L);
            sent += port.counts().getOrDefault("rx_prio0_packets", 0L);
            sent += port.counts().getOrDefault("PortXmitPkts", 0L);
            sent += port.counts().getOrDefault("PortRcvPkts", 0L);
        }
        // Three standard deviations of some hundred losses are a sixth.
        assertThat(fabric.counts().lost() / (0.01 * sent)).isCloseTo(1, within(0.2));
    }

    @Test
    void theSeedDecidesWhichPacketsAreLost() {
        List<Long> times = new ArrayList<>();
        for (long seed : new long[] {1, 1, 2}) {
            Fabric fabric =
                    new Fabric(FatTree.single(4).topology(), FabricSettings.ROCE.withSeed(seed));
            fabric.fault(CableFault.loss(1, 0.01));
            FlowRun run = send(fabric, 8 << 20);
            assertThat(run.run(END_PS)).isTrue();
            times.add(run.timesPs()[0]);
        }
        assertThat(times.get(1)).isEqualTo(times.get(0));
        assertThat(times.get(2)).isNotEqualTo(times.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aTransferGoesOnWhenTheCableIsBack(String kind) {
        Fabric fabric = fabric(kind);
        fabric.fault(CableFault.down(1, 50 * US, 90 * US));
        FlowRun run = send(fabric, 8 << 20);

        assertThat(run.run(END_PS)).isTrue();
        assertThat(run.deliveredBytes()).isEqualTo(8 << 20);
        assertThat(fabric.counts().lost()).isPositive();
        assertThat(fabric.ports()).allMatch(port -> port.pausedPs() == 0);
        assertThat(run.timesPs()[0]).isGreaterThan(timePs(fabric(kind), 8 << 20) + 40 * US);
        assertThat(fabric.counters("leaf 0").get(1).counts())
                .containsEntry(
                        kind.equals("ib") ? "LinkDownedCounter" : "link_down_events_phy", 1L);
    }

    /// A packet of 4,122 bytes takes 82 ns: wherever in that time the cable goes for long or for 10
    /// ns, both ends count the same blocks afterwards. A sender that counts fewer has credits that
    /// do not exist.
    @ParameterizedTest
    @ValueSource(longs = {10_000, 10 * US})
    void aPacketOnACableThatGoesTakesNoCredit(long forPs) {
        for (long fromPs = 20 * US; fromPs < 20 * US + 90_000; fromPs += 10_000) {
            Fabric fabric = fabric("ib");
            fabric.fault(CableFault.down(1, fromPs, fromPs + forPs));
            assertThat(send(fabric, 4 << 20).run(END_PS)).isTrue();
            fabric.run(fabric.nowPs() + 10 * US);

            for (int side = 0; side < 2; side++) {
                InfiniBandPort port = (InfiniBandPort) new Census(fabric).end(2 + side);
                int received = ((InfiniBandPort) port.neighbour()).giver().received(0);
                assertThat(port.sentBlocks(0)).as("down at %d ps", fromPs).isEqualTo(received);
            }
        }
    }

    @Test
    void whatHasLeftBeforeTheCableIsBackIsLost() {
        LinkFault fault = new LinkFault(1);
        assertThat(fault.wasDown(70, 70)).isFalse();
        fault.down();
        assertThat(fault.wasDown(70, 70)).isTrue();
        fault.up(500);
        assertThat(fault.wasDown(570, 70)).isTrue();
        assertThat(fault.wasDown(571, 70)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFaultMayBeginWhenAnotherOneEndsInWhateverOrderTheyAreAdded(boolean isReversed) {
        List<CableFault> faults =
                List.of(
                        CableFault.slow(1, 0.25).during(10 * US, 20 * US),
                        CableFault.slow(1, 0.5).during(20 * US, 30 * US),
                        CableFault.down(1, 40 * US, 50 * US),
                        CableFault.down(1, 50 * US, 60 * US));
        Fabric fabric = fabric("roce");
        (isReversed ? faults.reversed() : faults).forEach(fabric::fault);
        Link link = fabric.nic(1).port().link();

        List<Long> durations = new ArrayList<>();
        List<PortState> states = new ArrayList<>();
        for (long at = 15; at < 70; at += 10) {
            fabric.run(at * US);
            durations.add(link.durationPs(1000));
            states.add(fabric.nic(1).portState());
        }
        assertThat(durations).containsExactly(4000L, 2000L, 1000L, 1000L, 1000L, 1000L);
        PortState up = PortState.ACTIVE;
        PortState down = PortState.DOWN;
        assertThat(states).containsExactly(up, up, up, down, down, up);
        assertThat(fabric.counters("host 1").getFirst().counts())
                .containsEntry("link_down_events_phy", 2L);
    }

    /// Random numbers of one seed must not be those of another, some places on: the mean of several
    /// seeds would be that of one.
    @Test
    void cablesAndSeedsLoseOtherPackets() {
        List<String> all = new ArrayList<>();
        for (long seed = 1; seed <= 4; seed++) {
            Fabric fabric =
                    new Fabric(FatTree.single(4).topology(), FabricSettings.ROCE.withSeed(seed));
            for (int cable = 0; cable < 4; cable++) {
                fabric.fault(CableFault.loss(cable, 0.5));
                for (int side = 0; side < 2; side++) {
                    OutPort port = new Census(fabric).end(2 * cable + side);
                    LinkFault fault = Objects.requireNonNull(port.link().fault());
                    StringBuilder lost = new StringBuilder();
                    for (int packet = 0; packet < 500; packet++) {
                        lost.append(fault.loses(0) ? 'x' : '.');
                    }
                    all.add(lost.toString());
                }
            }
        }
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < all.size(); j++) {
                // That 64 packets have one fate by chance is as good as impossible.
                String part = all.get(i).substring(100, 164);
                assertThat(i != j && all.get(j).contains(part)).as("%d in %d", i, j).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aCableThatStaysDownEndsTheConnection(String kind) {
        Fabric fabric = fabric(kind);
        fabric.fault(CableFault.down(1, 20 * US, CableFault.FOR_EVER));
        FlowRun run = send(fabric, 8 << 20);

        assertThat(run.run(END_PS)).isFalse();
        assertThat(run.failed()).hasSize(1);
        assertThat(run.deadlock()).isEmpty();
    }

    /// Some flows use the cable and fill all buffers while it is away: credits and pauses of before
    /// must not stop what comes after.
    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aCableThatFlapsUnderCongestionLosesNoCreditsOrPauses(String kind) {
        Fabric fabric = fabric(kind);
        FaultText.parse("host-0=flap:7/23@10-300", fabric.topology(), 1).forEach(fabric::fault);
        FlowRun run =
                new FlowRun(
                        fabric,
                        Patterns.incast(4, 3, 4 << 20),
                        it -> it.ackRequestEvery(64).windowPackets(1 << 20),
                        it -> it.timeout(7));

        assertThat(run.run(END_PS)).isTrue();
        assertThat(fabric.counters("host 0").getFirst().counts())
                .containsEntry(
                        kind.equals("ib") ? "LinkDownedCounter" : "link_down_events_phy", 10L);
    }

    /// While the cable is away nothing is received at either end, and nothing is an error; what was
    /// on it when it went is. All that was sent was received, or is lost.
    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void countersOfACableThatIsAwayStandStillAndAddUp(String kind) {
        boolean isIb = kind.equals("ib");
        String received = isIb ? "PortRcvPkts" : "rx_prio0_packets";
        String sent = isIb ? "PortXmitPkts" : "tx_prio0_packets";
        String errors = isIb ? "PortRcvErrors" : "rx_crc_errors_phy";
        Fabric fabric = fabric(kind);
        fabric.fault(CableFault.down(1, 50 * US, 90 * US));
        FlowRun run = send(fabric, 8 << 20);
        // The last bits of before have gone.
        run.run(51 * US);
        Map<String, Long> before = fabric.counters("host 1").getFirst().counts();
        run.run(89 * US);
        Map<String, Long> after = fabric.counters("host 1").getFirst().counts();
        assertThat(after.get(received)).isEqualTo(before.get(received)).isPositive();
        assertThat(after.get(errors)).isEqualTo(before.get(errors)).isBetween(1L, 8L);
        assertThat(fabric.counts().lost()).isGreaterThan(100);

        assertThat(run.run(END_PS)).isTrue();
        fabric.run(fabric.nowPs() + 100 * US);
        Map<String, Long> host = fabric.counters("host 1").getFirst().counts();
        Map<String, Long> leaf = fabric.counters("leaf 0").get(1).counts();
        long gone = of(leaf, sent) - of(host, received) + of(host, sent) - of(leaf, received);
        long wrong = of(host, errors) + of(leaf, errors);
        assertThat(gone + wrong).isEqualTo(fabric.counts().lost());
    }

    private static long of(Map<String, Long> counts, String name) {
        return counts.getOrDefault(name, 0L);
    }

    /// A pause of before would last for 84 us, and no one is there to end it.
    @Test
    void aPauseEndsWithTheCable() {
        Fabric fabric = fabric("roce");
        EthernetPort port = (EthernetPort) fabric.nic(1).port();
        port.pause(0, 0xFFFF, 0);
        fabric.fault(CableFault.down(1, US, 2 * US));

        fabric.run(3 * US);
        assertThat(port.paused()).isZero();
        assertThat(port.pausedPs(fabric.nowPs())).isEqualTo(US);
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void theDeviceOfAHostKnowsThatItsCableIsGone(String kind) {
        Fabric fabric = fabric(kind);
        TransportDevice device = fabric.open(1);
        fabric.fault(CableFault.down(1, 10 * US, 20 * US));

        fabric.run(15 * US);
        assertThat(device.portSettings().attributes().state()).isEqualTo(PortState.DOWN);
        fabric.run(25 * US);
        assertThat(device.portSettings().attributes().state()).isEqualTo(PortState.ACTIVE);
        assertThat(device.pollEvent()).matches(it -> it.type() == AsyncEvent.Type.PORT_ERROR);
        assertThat(device.pollEvent()).matches(it -> it.type() == AsyncEvent.Type.PORT_ACTIVE);
    }

    @Test
    void aDeviceThatIsOpenedWithoutACableIsDown() {
        Fabric fabric = fabric("roce");
        fabric.fault(CableFault.down(1, 0, 10 * US));
        assertThat(fabric.open(1).portSettings().attributes().state()).isEqualTo(PortState.DOWN);
        assertThat(fabric.open(2).portSettings().attributes().state()).isEqualTo(PortState.ACTIVE);
    }

    @Test
    void faultsThatMakeNoSenseAreRefused() {
        Fabric fabric = fabric("roce");
        fabric.fault(CableFault.down(1, 10 * US, 20 * US));
        fabric.fault(CableFault.down(1, 20 * US, 30 * US));

        assertThatThrownBy(() -> fabric.fault(CableFault.down(1, 15 * US, 16 * US)))
                .hasMessageContaining("cable 1 would have two faults DOWN at one time");
        assertThatThrownBy(() -> fabric.fault(CableFault.loss(9, 0.1)))
                .hasMessageContaining("no cable 9");
        assertThatThrownBy(() -> CableFault.loss(1, 1.5)).hasMessageContaining("at most 1");
        assertThatThrownBy(() -> CableFault.slow(1, 0)).hasMessageContaining("0.001");
    }

    @Test
    void aLossOfOneDirectionSparesTheOther() {
        CableFault loss = CableFault.loss(0, 1);
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.ethernet());
        fabric.fault(loss.outOf(1));
        Stream stream = new Stream(fabric);
        stream.send(0, 1, 0, 100, 0);
        stream.send(1, 0, 0, 50, 0);
        fabric.run(Long.MAX_VALUE);
        assertThat(fabric.nic(1).port().neighbour().sentPackets()).isEqualTo(100);
        assertThat(fabric.counts().lost()).isEqualTo(50);
    }

    @Test
    void directionsOfOneCableHaveFaultsOfTheirOwn() {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.ethernet());
        fabric.fault(CableFault.loss(0, 0.5).outOf(0));
        fabric.fault(CableFault.loss(0, 0.5).outOf(1));
        assertThatThrownBy(() -> fabric.fault(CableFault.loss(0, 0.1)))
                .hasMessageContaining("two faults LOSS at one time");
        assertThatThrownBy(() -> fabric.fault(CableFault.loss(0, 0.1).outOf(1)))
                .hasMessageContaining("two faults LOSS at one time");
    }
}
