package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// What peers do that are not Verbena: packets that our own responder never sends.
class OtherPeersTest {
    /// Linux' rxe refuses with RNR and then sends one sequence NAK for the packet behind.
    @Test
    void aSequenceNakBehindAMissingReceiveIsNoLoss() {
        try (Duo duo = new Duo(o -> {}, a -> a.retryCount(0))) {
            duo.send(1, 10);
            duo.send(2, 10);
            for (int steps = 0; duo.counter(LEFT, Counter.RECEIVED_RNR) == 0; steps++) {
                assertThat(steps).isLessThan(1_000);
                duo.pair.step();
            }
            answer(duo, AethSyndrome.NAK_SEQUENCE, 100);
            assertThat(duo.counter(LEFT, Counter.IGNORED_NAK)).isEqualTo(1);
            duo.receives(2);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
        }
    }

    /// A responder may repeat its last acknowledgement when receives were posted.
    @Test
    void aRepeatedAcknowledgementBringsCredits() {
        try (Duo duo = new Duo(o -> o.endToEndCredits(true), a -> {})) {
            duo.receives(1);
            duo.send(1, 10);
            duo.pair.settle();
            long probes = duo.counter(LEFT, Counter.CREDIT_PROBE);
            duo.receives(8);
            answer(duo, AethSyndrome.ACK | 6, 100);
            for (int i = 2; i < 6; i++) {
                duo.send(i, 10);
            }
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).hasSize(5);
            assertThat(duo.counter(LEFT, Counter.CREDIT_PROBE)).isEqualTo(probes);
        }
    }

    /// The answer was had long ago and the key withdrawn; then a late copy of the request comes.
    @Test
    void aLateReadOfWithdrawnMemoryDoesNoHarm() {
        try (Duo duo = new Duo()) {
            MemoryRegion memory = duo.memory.get(RIGHT);
            duo.wire(LEFT).rule =
                    (_, index) -> index == 0 ? WireScript.Fate.HOLD : WireScript.Fate.PASS;
            duo.read(1, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            memory.renew();
            duo.lineOf(LEFT).release();
            duo.pair.settle();
            assertThat(duo.counter(RIGHT, Counter.REPLAYED_READ)).isEqualTo(1);
            duo.read(2, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
        }
    }

    /// Linux' rxe takes an acknowledgement with the number of an atomic for the end of the atomic,
    /// and leaves the program without its value.
    @Test
    void aRepeatedSendIsNotAcknowledgedInTheNameOfTheAtomicBehindIt() {
        try (Duo duo = new Duo()) {
            duo.receives(1);
            duo.wire(LEFT).rule =
                    (_, index) -> index == 0 ? WireScript.Fate.HOLD : WireScript.Fate.PASS;
            duo.send(1, 10);
            duo.fetchAndAdd(2, 1);
            duo.fetchAndAdd(3, 1);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
            duo.sent(RIGHT);
            duo.lineOf(LEFT).release();
            duo.pair.settle();
            assertThat(duo.sent(RIGHT)).containsExactly("Acknowledge 100 0x1f");
        }
    }

    /// The same with READs: of one packet, which rxe would complete without its bytes, and longer.
    @Test
    void aRepeatedSendIsNotAcknowledgedInTheNameOfTheReadBehindIt() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.send(1, 10);
            duo.pair.settle();
            duo.sent(RIGHT);
            duo.wire(LEFT).rule =
                    (_, index) -> index == 1 ? WireScript.Fate.HOLD : WireScript.Fate.PASS;
            duo.send(2, 10);
            duo.read(3, 3 * Duo.MTU);
            duo.read(4, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT))
                    .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS");
            duo.sent(RIGHT);
            duo.lineOf(LEFT).release();
            duo.pair.settle();
            assertThat(duo.sent(RIGHT)).containsExactly("Acknowledge 101 0x1f");
        }
    }

    /// Linux' rxe sends all of a long READ before it looks at the next request, so what comes for a
    /// while after a repetition still belongs to the first request.
    @Test
    void aPeerThatStillAnswersTheFirstReadIsNotAskedAThirdTime() {
        try (Duo duo = new Duo(o -> {}, a -> a.retryCount(1))) {
            duo.wire(RIGHT).rule = (_, _) -> WireScript.Fate.DROP;
            duo.read(1, 100 * Duo.MTU);
            duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
            for (int psn = 102; psn < 130; psn++) {
                readAnswer(duo, psn);
                duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
            }
            assertThat(duo.sent(LEFT)).containsExactly("READ Request 100 A", "READ Request 100 A");
            assertThat(duo.completed(LEFT)).isEmpty();

            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 RETRY_EXCEEDED");
        }
    }

    /// Hands the left side a packet from the middle of a READ's answer.
    private static void readAnswer(Duo duo, int psn) {
        Opcode opcode = Opcode.of(Service.RC, Operation.READ_RESPONSE_MIDDLE);
        MemorySegment header = MemorySegment.ofArray(new long[4]);
        Bth.put(header, 0, opcode.code(), 0, 0, 0xFFFF, duo.left().number(), psn);
        InboundPacket packet = new InboundPacket();
        packet.verdict(packet.view().wrapPhantom(header, 0, Bth.LENGTH, Duo.MTU))
                .from(0, Pair.gids(LinkLayer.ETHERNET, RIGHT).getFirst());
        duo.pair.device(LEFT).handlePacket(duo.pair.nowNs(), packet);
    }

    /// Hands the left side an acknowledgement as if the right side had sent it.
    private static void answer(Duo duo, int syndrome, int psn) {
        Opcode opcode = Opcode.of(Service.RC, Operation.ACKNOWLEDGE);
        MemorySegment header = MemorySegment.ofArray(new long[4]);
        Bth.put(header, 0, opcode.code(), 0, 0, 0xFFFF, duo.left().number(), psn);
        Aeth.put(header, Bth.LENGTH, syndrome, 1);
        InboundPacket packet = new InboundPacket();
        packet.verdict(packet.view().wrapPhantom(header, 0, Bth.LENGTH + Aeth.LENGTH, 0))
                .from(0, Pair.gids(LinkLayer.ETHERNET, RIGHT).getFirst());
        duo.pair.device(LEFT).handlePacket(duo.pair.nowNs(), packet);
    }
}
