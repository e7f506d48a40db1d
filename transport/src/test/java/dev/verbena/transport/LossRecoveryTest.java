package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a requester does about packets that are lost, late or there twice.
class LossRecoveryTest {
    @Test
    void aLostRequestIsSentAgainWhenTheTimerEnds() {
        try (Duo duo = new Duo()) {
            duo.receives(1);
            duo.wire(LEFT).dropIndexes(0);
            duo.send(1, 10);
            duo.pair.settle();

            List<ScriptedWire.Seen> packets = duo.packets(LEFT);
            long waited = packets.get(1).timeNs() - packets.get(0).timeNs();
            assertThat(waited).isBetween(Duo.TIMEOUT_NS, 4 * Duo.TIMEOUT_NS);
            assertThat(duo.sent(LEFT)).containsExactly("SEND Only 100 A DROP", "SEND Only 100 A");
            assertThat(duo.sent(RIGHT)).containsExactly("Acknowledge 100 0x1f");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.RETRANSMITTED)).isEqualTo(1);
        }
    }

    @Test
    void aLostAcknowledgementIsGivenAgainAndTheMessageIsDeliveredOnce() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.wire(RIGHT).dropIndexes(0);
            duo.send(1, 10);
            duo.pair.settle();

            assertThat(duo.sent(LEFT)).containsExactly("SEND Only 100 A", "SEND Only 100 A");
            assertThat(duo.sent(RIGHT))
                    .containsExactly("Acknowledge 100 0x1f DROP", "Acknowledge 100 0x1f");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 SUCCESS");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(RIGHT, Counter.DUPLICATE_REQUEST)).isEqualTo(1);
        }
    }

    @Test
    void aMissingPacketIsReportedOnceAndAllBehindItIsSentAgain() {
        try (Duo duo = new Duo()) {
            duo.receives(4);
            duo.wire(LEFT).dropIndexes(0);
            for (int i = 0; i < 4; i++) {
                duo.send(i, 10);
            }
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "SEND Only 100 A DROP",
                            "SEND Only 101 A",
                            "SEND Only 102 A",
                            "SEND Only 103 A",
                            "SEND Only 100 A",
                            "SEND Only 101 A",
                            "SEND Only 102 A",
                            "SEND Only 103 A");
            assertThat(duo.sent(RIGHT)).startsWith("Acknowledge 100 0x60");
            assertThat(duo.counter(RIGHT, Counter.SENT_NAK_SEQUENCE)).isEqualTo(1);
            assertThat(duo.counter(RIGHT, Counter.SILENT_OUT_OF_SEQUENCE)).isEqualTo(2);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
            assertThat(duo.completed(RIGHT))
                    .containsExactly(
                            "1000 SUCCESS", "1001 SUCCESS", "1002 SUCCESS", "1003 SUCCESS");
        }
    }

    @Test
    void aDuplicateSendIsAcknowledgedAgainAndNotDeliveredTwice() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.wire(LEFT).rule = (_, _) -> WireScript.Fate.DUPLICATE;
            duo.send(1, 10);
            duo.pair.settle();

            assertThat(duo.sent(RIGHT))
                    .containsExactly("Acknowledge 100 0x1f", "Acknowledge 100 0x1f");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.GHOST_RESPONSE)).isEqualTo(1);
        }
    }

    @Test
    void anAnswerToSomethingLaterMeansThatAReadResponseWasLost() {
        try (Duo duo = new Duo()) {
            duo.receives(1);
            duo.wire(RIGHT).dropIndexes(0);
            duo.read(1, 10);
            duo.send(2, 10);
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);

            assertThat(duo.sent(LEFT))
                    .startsWith("READ Request 100 A", "SEND Only 101 A", "READ Request 100 A");
            assertThat(duo.counter(LEFT, Counter.IMPLIED_NAK)).isEqualTo(1);
            assertThat(duo.counter(RIGHT, Counter.REPLAYED_READ)).isEqualTo(1);
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
        }
    }

    @Test
    void aReadGoesOnWhereItsResponsesBrokeOff() {
        try (Duo duo = new Duo()) {
            duo.wire(RIGHT).dropIndexes(2);
            duo.read(1, 5 * Duo.MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT)).containsExactly("READ Request 100 A", "READ Request 102 A");
            assertThat(duo.sent(RIGHT))
                    .containsExactly(
                            "READ Response First 100 0x1f",
                            "READ Response Middle 101",
                            "READ Response Middle 102 DROP",
                            "READ Response Middle 103",
                            "READ Response Last 104 0x1f",
                            "READ Response First 102 0x1f",
                            "READ Response Middle 103",
                            "READ Response Last 104 0x1f");
            assertThat(duo.counter(LEFT, Counter.RESTARTED_READ)).isEqualTo(1);
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        }
    }

    @Test
    void aDuplicateAtomicIsAnsweredFromMemoryOfItAndNotCarriedOutAgain() {
        try (Duo duo = new Duo()) {
            duo.wire(RIGHT).dropIndexes(0);
            duo.fetchAndAdd(1, 5);
            duo.pair.settle();

            assertThat(duo.sent(RIGHT))
                    .containsExactly(
                            "ATOMIC Acknowledge 100 0x1f DROP", "ATOMIC Acknowledge 100 0x1f");
            assertThat(duo.memory.get(RIGHT).segment().get(Duo.WORD, 0)).isEqualTo(5);
            assertThat(duo.memory.get(LEFT).segment().get(Duo.WORD, 0)).isZero();
            assertThat(duo.counter(RIGHT, Counter.REPLAYED_ATOMIC)).isEqualTo(1);
        }
    }

    @Test
    void givesUpAfterExactlyAsManyRetriesAsItHas() {
        for (int retries = 0; retries <= 7; retries++) {
            int count = retries;
            try (Duo duo = new Duo(o -> {}, a -> a.retryCount(count))) {
                duo.wire(LEFT).rule = (_, _) -> WireScript.Fate.DROP;
                duo.send(1, 10);
                duo.send(2, 10);
                duo.pair.settle();

                assertThat(duo.sent(LEFT)).hasSize(2 * (retries + 1));
                assertThat(duo.completed(LEFT)).containsExactly("1 RETRY_EXCEEDED", "2 FLUSHED");
                assertThat(duo.left().state()).isEqualTo(QueuePairState.ERROR);
            }
        }
    }

    @Test
    void progressGivesAllRetriesBack() {
        try (Duo duo = new Duo(o -> {}, a -> a.retryCount(1))) {
            duo.receives(8);
            // Every packet is lost once.
            duo.wire(LEFT).rule =
                    (_, index) -> index % 2 == 0 ? WireScript.Fate.DROP : WireScript.Fate.PASS;
            for (int i = 0; i < 5; i++) {
                duo.send(i, 10);
                duo.pair.settle();
            }
            assertThat(duo.completed(LEFT)).hasSize(5).allMatch(text -> text.endsWith("SUCCESS"));
        }
    }

    @Test
    void aTimerOfZeroNeverEnds() {
        try (Duo duo = new Duo(o -> {}, a -> a.timeout(0))) {
            duo.receives(2);
            duo.wire(LEFT).dropIndexes(0);
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.sent(LEFT)).containsExactly("SEND Only 100 A DROP");
            assertThat(duo.completed(LEFT)).isEmpty();

            // The next one shows the gap.
            duo.send(2, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
        }
    }

    @Test
    void anAcknowledgementOfWhatIsDoneIsIgnored() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.wire(RIGHT).rule =
                    (_, index) -> index == 0 ? WireScript.Fate.HOLD : WireScript.Fate.PASS;
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            duo.lineOf(RIGHT).release();
            duo.pair.settle();
            assertThat(duo.counter(LEFT, Counter.GHOST_RESPONSE)).isEqualTo(1);
            assertThat(duo.completed(LEFT)).isEmpty();
        }
    }

    @Test
    void aLateAcknowledgementMakesSendingAgainUnnecessary() {
        // One packet at a time, so that there is something left to send again when it comes.
        try (Duo duo = new Duo()) {
            duo.pair.ports.get(LEFT).carrier.psPerByte = 100_000;
            duo.pair.ports.get(LEFT).carrier.budgetBytes = 300;
            duo.receives(8);
            duo.wire(RIGHT).rule = (_, _) -> WireScript.Fate.HOLD;
            for (int i = 0; i < 8; i++) {
                duo.send(i, 200);
            }
            while (duo.packets(LEFT).size() < 10) {
                assertThat(duo.pair.step()).isTrue();
            }
            duo.wire(RIGHT).rule = (_, _) -> WireScript.Fate.PASS;
            duo.lineOf(RIGHT).release();
            duo.pair.settle();
            assertThat(duo.sent(LEFT)).hasSizeLessThan(16);
            assertThat(duo.counter(LEFT, Counter.FAST_FORWARDED)).isPositive();
            assertThat(duo.completed(LEFT)).hasSize(8);
        }
    }

    @Test
    void sequenceNumbersWrap() {
        try (Duo duo = new Duo(o -> {}, a -> a.sendPsn(0xFF_FFFE).receivePsn(0xFF_FFFE))) {
            duo.receives(1);
            duo.wire(LEFT).dropIndexes(2);
            duo.send(1, 5 * Duo.MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .startsWith(
                            "SEND First 16777214",
                            "SEND Middle 16777215",
                            "SEND Middle 0 DROP",
                            "SEND Middle 1")
                    .endsWith("SEND Middle 0", "SEND Middle 1", "SEND Last 2 A");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 SUCCESS");
        }
    }

    @Test
    void aNakThatComesBeforeAnythingIsSentAgainCostsNoRetry() {
        try (Duo duo = new Duo(o -> {}, a -> a.retryCount(1))) {
            duo.receives(4);
            duo.wire(LEFT).dropIndexes(0);
            duo.wire(RIGHT).rule =
                    (_, index) -> index == 0 ? WireScript.Fate.HOLD : WireScript.Fate.PASS;
            duo.send(1, 10);
            duo.send(2, 10);
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
            // The timer ends while the carrier takes nothing, and only then the NAK comes.
            duo.pair.ports.get(LEFT).carrier.classMask = 0;
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isEqualTo(1);
            duo.lineOf(RIGHT).release();
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
            duo.pair.ports.get(LEFT).carrier.classMask = CarrierScript.ALL_CLASSES;
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.IGNORED_NAK)).isEqualTo(1);
        }
    }

    @Test
    void aNakBehindALateAcknowledgementCostsNoRetry() {
        try (Duo duo = new Duo(o -> {}, a -> a.retryCount(1))) {
            duo.receives(4);
            duo.wire(LEFT).dropIndexes(1);
            duo.wire(RIGHT).rule =
                    (_, index) -> index <= 1 ? WireScript.Fate.HOLD : WireScript.Fate.PASS;
            duo.send(1, 10);
            duo.send(2, 10);
            duo.send(3, 10);
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
            duo.pair.ports.get(LEFT).carrier.classMask = 0;
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isEqualTo(1);
            // The acknowledgement ends the recovery, and the NAK comes while nothing is in flight.
            duo.lineOf(RIGHT).release();
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
            assertThat(duo.counter(LEFT, Counter.IGNORED_NAK)).isEqualTo(1);
            duo.pair.ports.get(LEFT).carrier.classMask = CarrierScript.ALL_CLASSES;
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
        }
    }

    @Test
    void theTimerRunsOnlyWhileAnAnswerIsDue() {
        // 2.7 µs a packet: sixteen of them take longer than the timer, which is 33 µs.
        try (Duo duo =
                new Duo(
                        o -> o.ackRequestEvery(64),
                        a -> a.retryCount(0).timeout(3).rateLimit(800_000_000L))) {
            duo.receives(1);
            duo.send(1, 16 * Duo.MTU);
            duo.pair.settle();

            List<ScriptedWire.Seen> packets = duo.packets(LEFT);
            assertThat(packets.getLast().timeNs() - packets.getFirst().timeNs())
                    .isGreaterThan(4_096L << 3);
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
        }
    }
}
