package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.WrongStateException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A NIC that pauses its switch all the time, and a watchdog with SONiC's times.
class PfcWatchdogTest {
    static final long MS = 1_000_000_000;
    private static final int PACKETS = 2000;

    /// A storm of host 1 of a switch, from one time to another; what the watchdog has seen by the
    /// end of a second and a half.
    static List<WatchdogEvent> storm(WatchdogSettings watchdog, long fromPs, long untilPs) {
        return storming(watchdog, fromPs, untilPs).storms();
    }

    private static Fabric storming(WatchdogSettings watchdog, long fromPs, long untilPs) {
        Fabric fabric = new Fabric(FatTree.single(3).topology(), Anchor.ethernet());
        fabric.watch(watchdog);
        fabric.fault(new CableFault(1, CableFault.Kind.STORM, 0, fromPs, untilPs));
        new Stream(fabric).send(0, 1, 0, PACKETS, fromPs + MS);
        fabric.run(1500 * MS);
        return fabric;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100, 199})
    void aStormIsSeenAfter200To400MsAndItsEndToo(long startMs) {
        List<WatchdogEvent> seen =
                storm(WatchdogSettings.SONIC, startMs * MS, (700 + startMs) * MS);

        assertThat(seen).hasSize(2);
        WatchdogEvent storm = seen.getFirst();
        assertThat(storm.isStorm()).isTrue();
        assertThat(storm.node()).isEqualTo("leaf 0");
        assertThat(storm.neighbour()).isEqualTo("host 1");
        assertThat(storm.timePs() - startMs * MS).isBetween(200 * MS, 400 * MS);
        WatchdogEvent end = seen.getLast();
        assertThat(end.isStorm()).isFalse();
        assertThat(end.timePs() - (700 + startMs) * MS).isBetween(200 * MS, 400 * MS);
        assertThat(end.discarded()).isEqualTo(PACKETS);
    }

    @Test
    void packetsThatAreForwardedArriveInTheStorm() {
        WatchdogSettings forward =
                WatchdogSettings.ofMillis(200, 200, 200, WatchdogSettings.Action.FORWARD);
        Fabric fabric = storming(forward, MS, 1600 * MS);
        assertThat(fabric.storms()).hasSize(1);
        assertThat(fabric.node(3).port(1).sentPackets()).isEqualTo(PACKETS);
        assertThat(fabric.counts().lost()).isZero();
    }

    @Test
    void anAlertChangesNothing() {
        WatchdogSettings alert =
                WatchdogSettings.ofMillis(200, 200, 200, WatchdogSettings.Action.ALERT);
        Fabric fabric = storming(alert, MS, 1600 * MS);
        assertThat(fabric.storms()).hasSize(1);
        assertThat(fabric.node(3).port(1).sentPackets()).isZero();
    }

    @Test
    void aSecondWatchdogIsRefusedAndTheFirstGoesOn() {
        Fabric fabric = new Fabric(FatTree.single(3).topology(), Anchor.ethernet());
        fabric.watch(WatchdogSettings.SONIC);
        fabric.fault(new CableFault(1, CableFault.Kind.STORM, 0, MS, 1600 * MS));
        new Stream(fabric).send(0, 1, 0, PACKETS, 2 * MS);
        fabric.run(700 * MS);
        assertThatThrownBy(() -> fabric.watch(WatchdogSettings.SONIC))
                .isInstanceOf(WrongStateException.class)
                .hasMessageContaining("a watchdog already");
        assertThat(fabric.storms()).hasSize(1);
    }

    /// The receiver's buffer is empty again soon after the storm began, and its host says so.
    @Test
    void aSlowReceiverDoesNotEndAStorm() {
        Fabric fabric = new Fabric(FatTree.single(3).topology(), Anchor.ethernet());
        fabric.fault(new CableFault(1, CableFault.Kind.SLOW_RECEIVER, 0.1, 0, MS * 1000));
        fabric.fault(new CableFault(1, CableFault.Kind.STORM, 0, MS, 2 * MS));
        new Stream(fabric).send(0, 1, 0, 10_000, 0);
        OutPort port = fabric.node(3).port(1);
        fabric.run(MS + MS / 100);
        long before = port.sentPackets();
        assertThat(before).isPositive();
        fabric.run(2 * MS);
        assertThat(port.sentPackets()).isEqualTo(before);
        fabric.run(3 * MS);
        assertThat(port.sentPackets()).isGreaterThan(before);
    }

    /// The end of the storm finds the buffer full, and the pause that this asks for stays.
    @Test
    void theEndOfAStormDoesNotResumeAFullReceiver() {
        Fabric fabric = new Fabric(FatTree.single(3).topology(), Anchor.ethernet());
        Nic nic = fabric.nic(1);
        nic.pauser().pause(3, true, 0);
        nic.pauser().storm(3, true, 0);
        nic.pauser().storm(3, false, 0);
        assertThat(nic.pauser().isPausing(3)).isTrue();
        nic.pauser().pause(3, false, 0);
        assertThat(nic.pauser().isPausing(3)).isFalse();
        // Two pauses and one end.
        assertThat(nic.pauser().sent(3)).isEqualTo(3);
    }

    @Test
    void aStormThatIsShorterThanALookIsNone() {
        assertThat(storm(WatchdogSettings.SONIC, 10 * MS, 150 * MS)).isEmpty();
    }

    @Test
    void pausesThatEndAreNoStorm() {
        // A receiver at a tenth of its rate pauses often, and each pause ends.
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.ethernet());
        fabric.watch(new WatchdogSettings(MS / 5, MS / 5, MS / 5, WatchdogSettings.Action.DROP));
        fabric.fault(new CableFault(1, CableFault.Kind.SLOW_RECEIVER, 0.1, 0, MS * 1000));
        new Stream(fabric).send(0, 1, 0, 10_000, 0);
        fabric.run(3 * MS);

        EthernetPort port = (EthernetPort) fabric.node(2).port(1);
        assertThat(port.resumed(0)).isGreaterThan(20);
        assertThat(fabric.storms()).isEmpty();
        // A packet each 0.832 us.
        long expected = 3 * MS / (10 * Anchor.P);
        assertThat(port.sentPackets()).isBetween(expected, expected + 150);
    }

    @Test
    void creditsOfASlowReceiverComeLate() {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.infiniBand());
        fabric.fault(new CableFault(1, CableFault.Kind.SLOW_RECEIVER, 0.1, 0, MS * 1000));
        new Stream(fabric).send(0, 1, 0, 10_000, 0);
        fabric.run(3 * MS);
        long expected = 3 * MS / (10 * Anchor.P);
        assertThat(fabric.node(2).port(1).sentPackets()).isBetween(expected, expected + 40);
    }

    @Test
    void whatCannotBeWatchedIsRefused() {
        Fabric infiniBand = new Fabric(FatTree.single(2).topology(), Anchor.infiniBand());
        assertThatThrownBy(() -> infiniBand.watch(WatchdogSettings.SONIC))
                .hasMessageContaining("no pauses to watch");
        assertThatThrownBy(
                        () -> infiniBand.fault(new CableFault(0, CableFault.Kind.STORM, 0, 0, MS)))
                .hasMessageContaining("use a slow receiver");
        assertThatThrownBy(
                        () -> WatchdogSettings.ofMillis(99, 200, 99, WatchdogSettings.Action.DROP))
                .hasMessageContaining("use 100 to 5000");
    }
}
