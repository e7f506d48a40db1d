package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rings of switches in which each packet goes two switches far, one way round: every cable waits
/// for the next one, so that they can all wait for each other.
///
/// Each cable of the ring has two flows. Above half the rate of a cable for each flow, what comes
/// from the ring and what comes from the host fill the buffers, and the ring locks; up to half it
/// never does. That is so where packets leave in the order in which they came, as here.
class DeadlockTest {
    private static final int XOFF = 50 * 4160;
    private static final int PACKETS = 20_000;
    private static final long SLICE_PS = 50_000_000;

    private static Topology ring(int count) {
        Topology topology = new Topology("ring", count);
        for (int i = 0; i < count; i++) {
            RoutingTable onward = new RoutingTable(new short[count], new short[][] {{1}});
            topology.addSwitch(new Topology.SwitchPlan("switch " + i, 3, i, onward));
        }
        for (int i = 0; i < count; i++) {
            topology.addHost(i, count + i, 0);
        }
        for (int i = 0; i < count; i++) {
            topology.addCable(count + i, 1, count + (i + 1) % count, 2);
        }
        return topology;
    }

    private static FabricSettings ethernet() {
        BufferSettings buffer = BufferSettings.fixed(XOFF, XOFF / 2, BufferSettings.UNLIMITED);
        return Anchor.ethernet().withKind(FabricKind.Ethernet.DEFAULT.withBuffer(buffer));
    }

    /// Hosts send at a part of the rate of their cables.
    private static FabricSettings at(FabricSettings settings, double load) {
        long gapPs = Math.round(Anchor.P / load);
        return settings.withNic(new NicProfile(0, 0, gapPs, 0));
    }

    /// Packets that arrive in a ring of three switches at a part of the rate, of 60,000; and 0
    /// where it is in deadlock before.
    static long arriving(double load, boolean isRoundRobin) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) ethernet().kind();
        FabricSettings settings = ethernet().withKind(kind.withRoundRobin(isRoundRobin));
        Fabric fabric = sending(ring(3), at(settings, load), 3);
        return run(fabric).isPresent() ? 0 : received(fabric);
    }

    /// Runs until all packets have arrived or the fabric is in deadlock.
    private static Optional<Deadlock> run(Fabric fabric) {
        DeadlockWatch watch = new DeadlockWatch(fabric);
        Optional<Deadlock> found = Optional.empty();
        boolean isOver = false;
        while (found.isEmpty() && !isOver) {
            fabric.run(fabric.nowPs() + SLICE_PS);
            isOver = fabric.isIdle();
            if (isOver || fabric.nowPs() >= watch.nextPs()) {
                found = watch.look();
            }
        }
        return found;
    }

    private static Fabric sending(Topology topology, FabricSettings settings, int senders) {
        Fabric fabric = new Fabric(topology, settings);
        Stream stream = new Stream(fabric);
        int hosts = topology.hosts();
        for (int i = 0; i < senders; i++) {
            stream.send(i, (i + 2) % hosts, 0, PACKETS, 0);
        }
        return fabric;
    }

    private static long received(Fabric fabric) {
        long packets = 0;
        for (int i = 0; i < fabric.topology().hosts(); i++) {
            packets += fabric.nic(i).port().neighbour().sentPackets();
        }
        return packets;
    }

    @ParameterizedTest
    @CsvSource({"0.4", "0.5"})
    void aRingThatIsNotOverloadedRuns(double load) {
        for (FabricSettings settings : List.of(ethernet(), Anchor.infiniBand())) {
            Fabric fabric = sending(ring(3), at(settings, load), 3);

            assertThat(run(fabric)).isEmpty();
            assertThat(received(fabric)).isEqualTo(3L * PACKETS);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.51", "0.75", "1"})
    void anOverloadedRingLocksAndItsCircleIsNamed(double load) {
        for (FabricSettings settings : List.of(ethernet(), Anchor.infiniBand())) {
            Fabric fabric = sending(ring(3), at(settings, load), 3);

            Deadlock found = run(fabric).orElseThrow();
            assertThat(found.ports()).isEqualTo(3);
            assertThat(found.cycle())
                    .extracting(Deadlock.Wait::node, Deadlock.Wait::port, Deadlock.Wait::neighbour)
                    .containsExactly(
                            tuple("switch 0", 1, "switch 1"),
                            tuple("switch 1", 1, "switch 2"),
                            tuple("switch 2", 1, "switch 0"));
            assertThat(found.cycle())
                    .allSatisfy(
                            it -> {
                                assertThat(it.lane()).isZero();
                                assertThat(it.waitingBytes()).isPositive();
                            });
            // It is true: nothing arrives any more.
            long before = received(fabric);
            fabric.run(fabric.nowPs() + 1_000 * SLICE_PS);
            assertThat(received(fabric)).isEqualTo(before).isLessThan(3L * PACKETS);
        }
    }

    @Test
    void aRingWhoseSwitchesServeTheirInputsInTurnRunsAtHalfTheRate() {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) ethernet().kind();
        Fabric fabric = sending(ring(3), ethernet().withKind(kind.withRoundRobin(true)), 3);

        assertThat(run(fabric)).isEmpty();
        assertThat(received(fabric)).isEqualTo(3L * PACKETS);
        double share = (double) PACKETS * Anchor.P / fabric.nowPs();
        assertThat(share).isBetween(0.45, 0.5);
    }

    @Test
    void aWatchdogEndsADeadlockAndLosesPackets() {
        Fabric fabric = sending(ring(3), ethernet(), 3);
        long look = 1_000_000_000;
        fabric.watch(new WatchdogSettings(look, look, look, WatchdogSettings.Action.DROP));
        fabric.run(30 * look);

        assertThat(fabric.storms()).anyMatch(WatchdogEvent::isStorm);
        assertThat(fabric.counts().lost()).isPositive();
        assertThat(fabric.counts().lost() + received(fabric)).isEqualTo(3L * PACKETS);
    }

    @Test
    void aRingWithPausesAndWithoutACircleRuns() {
        // Host 2 does not send: what host 1 sends leaves the second switch without delay.
        for (FabricSettings settings : List.of(ethernet(), Anchor.infiniBand())) {
            Fabric fabric = sending(ring(3), settings, 2);

            assertThat(run(fabric)).isEmpty();
            assertThat(received(fabric)).isEqualTo(2L * PACKETS);
        }
    }

    @Test
    void aFabricThatIsOnlySlowIsNotInDeadlock() {
        // Three switches in a row, whose ports wait far longer than it takes to look twice.
        Wiring wiring = new Wiring("slow");
        for (int i = 0; i < 3; i++) {
            wiring.addSwitch("switch " + i, 4);
        }
        wiring.join(0, 3, 1, 2);
        wiring.join(1, 3, 2, 2);
        CablePlan slow = CablePlan.USUAL.withRate(Generation.SDR.of(1));
        wiring.addHost("reader", 0, 0, slow);
        wiring.addHost("near", 0, 1);
        wiring.addHost("far", 1, 0);
        wiring.addHost("further", 2, 0);
        for (FabricSettings settings : List.of(ethernet(), Anchor.infiniBand())) {
            Fabric fabric = new Fabric(wiring.topology(), settings);
            Stream stream = new Stream(fabric);
            for (int from = 1; from < 4; from++) {
                stream.send(from, 0, 0, 400, 0);
            }

            assertThat(run(fabric)).isEmpty();
            assertThat(received(fabric)).isEqualTo(3 * 400);
            // A packet takes 17 us there, and a pause ends after 25.
            assertThat(fabric.nowPs()).isGreaterThan(1_200L * 16_000_000);
        }
    }

    @Test
    void flowsEndAtOnceWhenTheFabricIsInDeadlock() {
        Topology topology = ring(6);
        Fabric fabric = new Fabric(topology, ethernet());
        FlowRun run =
                new FlowRun(
                        fabric,
                        Patterns.shift(6, 2, 4 << 20),
                        it -> it.ackRequestEvery(64).windowPackets(1 << 20));

        assertThat(run.run(1_000_000_000_000L)).isFalse();
        assertThat(run.deadlock()).isPresent();
        assertThat(run.deadlock().get().cycle()).hasSize(6);
        assertThat(fabric.nowPs()).isLessThan(1_000_000_000L);
    }
}
