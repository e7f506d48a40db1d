package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

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
    void aLateReadOfWithdrawnMemoryHarmsNobody() {
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
