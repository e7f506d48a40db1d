package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.MTU;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.schedule.PeerWindow;
import dev.verbena.verbs.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An answer that does not come within a few round trips is asked for again, with one packet.
class TailProbeTest {
    /// Long, so that what happens before it ends is not its doing.
    private static final int TIMEOUT = 16;

    private static final long TIMEOUT_NS = 4_096L << TIMEOUT;

    private static Duo duo() {
        Duo duo = new Duo(o -> o.followsPeers(true), a -> a.timeout(TIMEOUT));
        duo.receives(40);
        // Without a round trip there is nothing to go by.
        duo.send(1, 10);
        duo.pair.settle();
        duo.sent(LEFT);
        duo.sent(RIGHT);
        duo.completed(LEFT);
        duo.completed(RIGHT);
        return duo;
    }

    @Test
    void theLostEndOfAMessageIsFoundByItsLastPacketSentOnceMore() {
        try (Duo duo = duo()) {
            duo.wire(LEFT).dropIndexes(3, 4);
            long beginNs = duo.pair.nowNs();
            duo.send(2, 4 * MTU);
            duo.pair.settle();

            assertThat(duo.pair.nowNs() - beginNs).isLessThan(TIMEOUT_NS / 10);
            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "SEND First 101",
                            "SEND Middle 102",
                            "SEND Middle 103 DROP",
                            "SEND Last 104 A DROP",
                            "SEND Last 104 A",
                            "SEND Middle 103",
                            "SEND Last 104 A");
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
        }
    }

    @Test
    void aLostAcknowledgementComesAgainForOnePacket() {
        try (Duo duo = duo()) {
            duo.wire(RIGHT).dropIndexes(1);
            duo.send(2, 3 * MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "SEND First 101",
                            "SEND Middle 102",
                            "SEND Last 103 A",
                            "SEND Last 103 A");
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
            assertThat(duo.completed(RIGHT)).containsExactly("1001 SUCCESS");
        }
    }

    /// From where it broke off: Linux rxe refuses a repetition that begins before an earlier one.
    @Test
    void ofAReadTheRestOfTheLastPieceIsAskedForOnceMore() {
        try (Duo duo = duo()) {
            duo.wire(RIGHT).dropIndexes(3, 4);
            duo.read(2, 4 * MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT)).containsExactly("READ Request 101 A", "READ Request 103 A");
            assertThat(duo.sent(RIGHT))
                    .containsExactly(
                            "READ Response First 101 0x1f",
                            "READ Response Middle 102",
                            "READ Response Middle 103 DROP",
                            "READ Response Last 104 0x1f DROP",
                            "READ Response First 103 0x1f",
                            "READ Response Last 104 0x1f");
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
        }
    }

    /// The answer to the probe shows the loss even while the READ is being repeated; were it taken
    /// for news of the repetition, the READ would never end.
    @Test
    void aReadWhoseRepeatedAnswerIsLostTooIsRepeatedAgain() {
        try (Duo duo = duo()) {
            duo.wire(RIGHT).rule =
                    (packet, _) ->
                            packet.psn() == 103 && duo.counter(LEFT, Counter.TAIL_PROBE) < 3
                                    ? WireScript.Fate.DROP
                                    : WireScript.Fate.PASS;
            long beginNs = duo.pair.nowNs();
            duo.read(2, 4 * MTU);
            duo.pair.runUntil(beginNs + TIMEOUT_NS / 2);

            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
        }
    }

    @Test
    void anAtomicIsCarriedOutOnce() {
        try (Duo duo = duo()) {
            duo.wire(RIGHT).dropIndexes(1);
            duo.fetchAndAdd(2, 5);
            duo.pair.settle();

            assertThat(duo.memory.get(RIGHT).segment().get(Duo.WORD, 0)).isEqualTo(5);
            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isEqualTo(1);
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
        }
    }

    /// Asked less and less often, and given up when the queue pair's own timers say so.
    @Test
    void aPeerThatIsGoneIsGivenUpAsBefore() {
        try (Duo duo = duo()) {
            duo.wire(LEFT).rule = (_, _) -> WireScript.Fate.DROP;
            long beginNs = duo.pair.nowNs();
            duo.send(2, 10);
            duo.pair.settle();

            List<Long> sentNs =
                    duo.packets(LEFT).stream().map(it -> it.timeNs() - beginNs).toList();
            long transmissions = 1 + duo.counter(LEFT, Counter.RETRANSMITTED);
            assertThat(duo.completed(LEFT)).containsExactly("2 RETRY_EXCEEDED");
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isEqualTo(8);
            assertThat(transmissions).isEqualTo(8);
            assertThat(sentNs.size() - transmissions).isEqualTo(8 * 8);
            assertThat(sentNs.get(1)).isEqualTo(PeerWindow.LEAST_PATIENCE_NS);
            assertThat(sentNs.get(2)).isEqualTo(3 * PeerWindow.LEAST_PATIENCE_NS);
            assertThat(sentNs.getLast()).isLessThan(8 * TIMEOUT_NS);
        }
    }

    /// A rate that is set meanwhile is kept, and nothing is taken for lost because of it.
    @Test
    void aNewRateLimitIsNoTimeout() {
        try (Duo duo = duo()) {
            duo.wire(RIGHT).dropIndexes(1);
            duo.send(2, 10);
            duo.pair.runUntil(duo.pair.nowNs() + 100_000);
            duo.left().modify(QueuePairState.READY_TO_SEND, a -> a.rateLimit(1_000_000_000));
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
        }
    }

    @Test
    void nothingIsAskedForAgainWhileThePeerHasNoReceive() {
        try (Duo duo =
                new Duo(o -> o.followsPeers(true), a -> a.timeout(TIMEOUT).minRnrTimer(28))) {
            duo.receives(1);
            duo.send(1, 10);
            duo.pair.settle();
            duo.send(2, 10);
            duo.pair.runUntil(duo.pair.nowNs() + 50_000_000);

            assertThat(duo.counter(LEFT, Counter.RECEIVED_RNR)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isZero();
        }
    }

    @Test
    void aQueuePairThatDoesNotFollowItsPeerWaitsForItsTimer() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.send(1, 10);
            duo.pair.settle();
            duo.wire(LEFT).dropIndexes(1);
            duo.send(2, 10);
            duo.pair.settle();

            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isZero();
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isEqualTo(1);
        }
    }
}
