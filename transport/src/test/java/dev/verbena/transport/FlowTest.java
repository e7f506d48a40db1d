package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.RnrTimer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What makes a requester wait, and how answers are put off.
class FlowTest {
    @Test
    void waitsAsLongAsAReceiverThatIsNotReadySays() {
        try (Duo duo = new Duo(o -> {}, a -> a.minRnrTimer(10))) {
            duo.send(1, 10);
            duo.pair.runUntil(duo.pair.nowNs() + RnrTimer.delayNs(10) / 2);
            assertThat(duo.packets(LEFT)).hasSize(1);
            duo.receives(1);
            duo.pair.settle();

            List<ScriptedWire.Seen> packets = duo.packets(LEFT);
            long heardNs = packets.get(0).timeNs() + 2_000;
            assertThat(packets.get(1).timeNs())
                    .isBetween(heardNs + RnrTimer.delayNs(10), heardNs + 2 * RnrTimer.delayNs(10));
            assertThat(duo.sent(RIGHT))
                    .containsExactly("Acknowledge 100 0x2a", "Acknowledge 100 0x1f");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        }
    }

    @Test
    void givesUpOnAReceiverThatIsNeverReady() {
        for (int retries = 0; retries < 7; retries++) {
            int count = retries;
            try (Duo duo = new Duo(o -> {}, a -> a.rnrRetry(count).minRnrTimer(1))) {
                duo.send(1, 10);
                duo.pair.settle();
                assertThat(duo.sent(LEFT)).hasSize(retries + 1);
                assertThat(duo.completed(LEFT)).containsExactly("1 RNR_RETRY_EXCEEDED");
            }
        }
    }

    @Test
    void neverGivesUpWithSevenRetries() {
        try (Duo duo = new Duo(o -> {}, a -> a.rnrRetry(7).minRnrTimer(1))) {
            duo.send(1, 10);
            duo.pair.runUntil(duo.pair.nowNs() + 50 * RnrTimer.delayNs(1));
            assertThat(duo.sent(LEFT)).hasSizeGreaterThan(20);
            duo.receives(1);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        }
    }

    @Test
    void answersAtOnceWhenEnoughRequestsWait() {
        try (Duo duo = new Duo(o -> o.acknowledge(4, 10_000), a -> {})) {
            // A packet every 300 ns or so: the fourth is answered long before the delay is over.
            duo.pair.ports.get(LEFT).carrier.psPerByte = 10_000;
            duo.pair.ports.get(LEFT).carrier.budgetBytes = 50;
            duo.receives(8);
            for (int i = 0; i < 8; i++) {
                duo.send(i, 10);
            }
            duo.pair.settle();
            assertThat(duo.sent(RIGHT))
                    .containsExactly("Acknowledge 103 0x1f", "Acknowledge 107 0x1f");
            assertThat(duo.completed(LEFT)).hasSize(8);
        }
    }

    @Test
    void answersInTimeWhenFewRequestsWait() {
        try (Duo duo = new Duo(o -> o.acknowledge(4, 10_000), a -> {})) {
            duo.receives(8);
            duo.send(1, 10);
            duo.send(2, 10);
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();
            assertThat(duo.packets(RIGHT).get(0).timeNs()).isEqualTo(beginNs + 11_000);
            assertThat(duo.sent(RIGHT)).containsExactly("Acknowledge 101 0x1f");
        }
    }

    @Test
    void asksForAnAcknowledgementEverySoManyPackets() {
        try (Duo duo = new Duo(o -> o.ackRequestEvery(2), a -> {})) {
            duo.receives(1);
            duo.send(1, 5 * Duo.MTU);
            duo.pair.settle();
            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "SEND First 100",
                            "SEND Middle 101 A",
                            "SEND Middle 102",
                            "SEND Middle 103 A",
                            "SEND Last 104 A");
        }
    }

    @Test
    void sendsNoMoreThanTheWindowHolds() {
        try (Duo duo = new Duo(o -> o.windowPackets(2).ackRequestEvery(1), a -> {})) {
            duo.receives(1);
            duo.send(1, 6 * Duo.MTU);
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();
            assertThat(duo.packets(LEFT).stream().map(p -> (p.timeNs() - beginNs) / 2_000))
                    .containsExactly(0L, 0L, 1L, 1L, 2L, 2L);
            assertThat(duo.counter(LEFT, Counter.WINDOW_STALL)).isPositive();
        }
    }

    @Test
    void aFullWindowOpensForSeveralPacketsAtOnce() {
        try (Duo duo = new Duo(o -> o.windowPackets(8).burstBytes(4096), a -> {})) {
            duo.receives(12);
            for (int i = 1; i <= 8; i++) {
                duo.send(i, 10);
                duo.pair.runUntil(duo.pair.nowNs() + 100);
            }
            for (int i = 9; i <= 12; i++) {
                duo.send(i, 10);
            }
            duo.pair.settle();
            // Each of the eight is acknowledged alone; a fourth of the window is two packets.
            List<Long> later = duo.packets(LEFT).stream().skip(8).map(p -> p.timeNs()).toList();
            assertThat(later).hasSize(4);
            assertThat(later.get(0)).isEqualTo(later.get(1)).isLessThan(later.get(2));
            assertThat(later.get(2)).isEqualTo(later.get(3));
        }
    }

    @Test
    void sendsOneMessageBeyondTheCredits() {
        try (Duo duo = new Duo(o -> o.endToEndCredits(true), a -> a.minRnrTimer(10))) {
            duo.receives(1);
            duo.send(1, 10);
            duo.pair.settle();
            // The answer says that no receive is left.
            for (int i = 2; i < 5; i++) {
                duo.send(i, 10);
            }
            duo.sent(LEFT);
            long probes = duo.counter(LEFT, Counter.CREDIT_PROBE);
            duo.pair.runUntil(duo.pair.nowNs() + RnrTimer.delayNs(10) / 2);
            assertThat(duo.sent(LEFT)).containsExactly("SEND Only 101 A");
            assertThat(duo.counter(LEFT, Counter.CREDIT_STALL)).isPositive();
            assertThat(duo.counter(LEFT, Counter.CREDIT_PROBE) - probes).isEqualTo(1);
            duo.receives(3);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).hasSize(4);
        }
    }

    @Test
    void writesNeedNoCredits() {
        try (Duo duo = new Duo(o -> o.endToEndCredits(true), a -> {})) {
            for (int i = 0; i < 3; i++) {
                int id = i;
                duo.post(
                        b ->
                                b.write(
                                                duo.memory.get(LEFT).slice(0, 8),
                                                duo.memory.get(RIGHT).remote().slice(0, 8))
                                        .id(id)
                                        .signaled());
            }
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).hasSize(3);
            assertThat(duo.counter(LEFT, Counter.CREDIT_STALL)).isZero();
        }
    }

    @Test
    void aFenceWaitsForReadsBeforeIt() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.read(1, 10);
            duo.send(2, 10);
            duo.post(b -> b.send().local(duo.memory.get(LEFT), 0, 8).id(3).fence().signaled());
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();
            assertThat(duo.packets(LEFT).stream().map(ScriptedWire.Seen::timeNs))
                    .containsExactly(beginNs, beginNs, beginNs + 2_000);
            assertThat(duo.counter(LEFT, Counter.FENCE_STALL)).isPositive();
        }
    }

    @Test
    void keepsNoMoreReadsInFlightThanThePeerAnswers() {
        try (Duo duo = new Duo(o -> {}, a -> a.readsAsInitiator(2).readsAsResponder(2))) {
            for (int i = 0; i < 4; i++) {
                duo.read(i, 10);
            }
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();
            assertThat(duo.packets(LEFT).stream().map(p -> (p.timeNs() - beginNs) / 2_000))
                    .containsExactly(0L, 0L, 1L, 1L);
            assertThat(duo.counter(LEFT, Counter.READ_STALL)).isPositive();
        }
    }

    @Test
    void aClosedClassHoldsBackNoOther() {
        try (Duo duo = new Duo()) {
            QueuePair left = another(duo, LEFT);
            QueuePair right = another(duo, RIGHT);
            left.connect(
                    right.endpoint(),
                    a -> a.address(Address.to(right.endpoint()).withServiceLevel(3)));
            right.connect(
                    left.endpoint(),
                    a -> a.address(Address.to(left.endpoint()).withServiceLevel(3)));
            duo.receives(1);
            right.postReceive(b -> b.receive(duo.memory.get(RIGHT).slice(0, 64)).id(7));
            duo.pair.ports.get(LEFT).carrier.classMask = ~(1 << 3) & 0xFFFF;
            left.post(b -> b.send().local(duo.memory.get(LEFT), 0, 8).id(9).signaled());
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");

            duo.pair.ports.get(LEFT).carrier.classMask = 0xFFFF;
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("9 SUCCESS");
        }
    }

    private static QueuePair another(Duo duo, int side) {
        return duo.domains
                .get(side)
                .queuePair(QueuePairType.RC, o -> o.completions(duo.completions.get(side)));
    }

    @Test
    void drainingFinishesWhatWasBegunAndHoldsTheRest() {
        try (Duo duo = new Duo(o -> o.windowPackets(1).ackRequestEvery(1), a -> {})) {
            duo.receives(2);
            duo.send(1, 3 * Duo.MTU);
            duo.pair.step();
            duo.left().modify(QueuePairState.SEND_QUEUE_DRAINED, a -> a.drainNotify(true));
            duo.send(2, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            AsyncEvent event = Objects.requireNonNull(duo.pair.device(LEFT).pollEvent());
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.SEND_QUEUE_DRAINED);

            duo.left().modify(QueuePairState.READY_TO_SEND, a -> {});
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
        }
    }

    @Test
    void aRateLimitSpreadsPackets() {
        // 256 bytes of payload in 284 bytes at 1 Gb/s are about two microseconds.
        try (Duo duo = new Duo(o -> {}, a -> a.rateLimit(1_000_000_000L))) {
            duo.receives(1);
            duo.send(1, 10 * Duo.MTU);
            duo.pair.settle();
            List<ScriptedWire.Seen> packets = duo.packets(LEFT);
            long spread = packets.getLast().timeNs() - packets.getFirst().timeNs();
            assertThat(spread).isBetween(9L * 256 * 8, 11L * 320 * 8);
            assertThat(duo.counter(LEFT, Counter.PACE_STALL)).isPositive();
        }
    }
}
