package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.SendBatch;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Requests that a responder refuses for good: the NAK, the event, and how both sides end.
class RefusalTest {
    private static final String INVALID = "Acknowledge 100 0x61";
    private static final String ACCESS = "Acknowledge 100 0x62";

    @Test
    void aWrongKeyIsAnAccessError() {
        try (Duo duo = new Duo()) {
            MemoryRegion memory = duo.memory.get(RIGHT);
            refuses(
                    duo,
                    b -> b.write(memory.address(), ~memory.remoteKey()).local(source(duo), 0, 8),
                    ACCESS);
        }
    }

    @Test
    void aByteOutsideOfTheRegionIsAnAccessErrorAndNothingIsWritten() {
        try (Duo duo = new Duo()) {
            source(duo).segment().set(Duo.WORD, 0, -1);
            MemoryRegion memory = duo.memory.get(RIGHT);
            long address = memory.address() + memory.length() - 7;
            refuses(
                    duo,
                    b -> b.write(address, memory.remoteKey()).local(source(duo), 0, 8),
                    ACCESS);
            assertThat(memory.segment().get(Duo.WORD, memory.length() - 8)).isZero();
        }
    }

    @Test
    void aRightThatTheRegionLacksIsAnAccessError() {
        try (Duo duo = new Duo()) {
            MemoryRegion memory = duo.domains.get(RIGHT).allocate(64, Access.REMOTE_READ);
            refuses(
                    duo,
                    b -> b.write(memory.address(), memory.remoteKey()).local(source(duo), 0, 8),
                    ACCESS);
        }
    }

    @Test
    void aClosedRegionIsAnAccessError() {
        try (Duo duo = new Duo()) {
            MemoryRegion memory = duo.memory.get(RIGHT);
            int key = memory.remoteKey();
            long address = memory.address();
            memory.close();
            refuses(duo, b -> b.read(address, key).local(source(duo), 0, 8), ACCESS);
        }
    }

    @Test
    void aKeyThatIsWithdrawnEndsAWriteInItsMiddle() {
        try (Duo duo = new Duo()) {
            source(duo).segment().fill((byte) 7);
            MemoryRegion memory = duo.memory.get(RIGHT);
            sendTwoOfFour(
                    duo,
                    b -> b.write(memory.address(), memory.remoteKey()).local(source(duo), 0, 1024));
            memory.renew();
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 REMOTE_ACCESS_ERROR");
            assertThat(memory.segment().get(Duo.WORD, 2 * Duo.MTU)).isZero();
            assertThat(duo.right().state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    void aKeyThatIsWithdrawnEndsAReadInItsMiddle() {
        try (Duo duo = new Duo()) {
            MemoryRegion memory = duo.memory.get(RIGHT);
            memory.segment().fill((byte) 7);
            duo.pair.ports.get(RIGHT).carrier.psPerByte = 100_000;
            duo.pair.ports.get(RIGHT).carrier.budgetBytes = 300;
            duo.read(1, 4 * Duo.MTU);
            for (int steps = 0; duo.packets(RIGHT).size() < 2; steps++) {
                assertThat(steps).isLessThan(1_000);
                duo.pair.step();
            }
            memory.renew();
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 REMOTE_ACCESS_ERROR");
            assertThat(source(duo).segment().get(Duo.WORD, 3 * Duo.MTU)).isZero();
        }
    }

    /// Posts four packets and stops when two of them have arrived.
    private static void sendTwoOfFour(Duo duo, Consumer<SendBatch> work) {
        duo.pair.ports.get(LEFT).carrier.psPerByte = 100_000;
        duo.pair.ports.get(LEFT).carrier.budgetBytes = 300;
        duo.post(
                b -> {
                    work.accept(b);
                    b.id(1).signaled();
                });
        for (int steps = 0; duo.counter(RIGHT, Counter.RECEIVED_PACKETS) < 2; steps++) {
            assertThat(steps).isLessThan(1_000);
            duo.pair.step();
        }
    }

    @Test
    void zeroBytesNeedNoKey() {
        try (Duo duo = new Duo()) {
            duo.post(b -> b.write(1, 2).id(1).signaled());
            duo.post(b -> b.read(1, 2).id(2).signaled());
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
        }
    }

    @Test
    void anOperationThatTheQueuePairDoesNotAllowIsAnInvalidRequest() {
        try (Duo duo = new Duo()) {
            duo.right()
                    .modify(
                            QueuePairState.READY_TO_SEND,
                            a -> a.access(Set.of(Access.REMOTE_WRITE)));
            MemoryRegion memory = duo.memory.get(RIGHT);
            refuses(
                    duo,
                    b -> b.read(memory.address(), memory.remoteKey()).local(source(duo), 0, 8),
                    INVALID);
        }
    }

    @Test
    void anAtomicThatIsNotAlignedIsAnInvalidRequest() {
        try (Duo duo = new Duo()) {
            MemoryRegion memory = duo.memory.get(RIGHT);
            refuses(
                    duo,
                    b ->
                            b.fetchAndAdd(memory.address() + 4, memory.remoteKey(), 1)
                                    .local(source(duo), 0, 8),
                    INVALID);
        }
    }

    @Test
    void aMessageThatIsTooLongForItsReceiveFailsBothSides() {
        try (Duo duo = new Duo()) {
            duo.right().postReceive(b -> b.receive(duo.memory.get(RIGHT).slice(0, 5)).id(1));
            refuses(duo, b -> b.send().local(source(duo), 0, 6), INVALID);
            assertThat(duo.completed(RIGHT)).containsExactly("1 LOCAL_LENGTH_ERROR");
        }
    }

    @Test
    void moreReadsThanThePeerAnswersAreAnInvalidRequest() {
        try (Duo duo = new Duo(o -> {}, a -> a.readsAsInitiator(3).readsAsResponder(2))) {
            // No answer may leave, so that all three are unanswered.
            duo.pair.ports.get(RIGHT).carrier.classMask = 0;
            for (int i = 0; i < 3; i++) {
                duo.read(i, 8);
            }
            duo.pair.runUntil(duo.pair.nowNs() + 10_000);
            duo.pair.ports.get(RIGHT).carrier.classMask = CarrierScript.ALL_CLASSES;
            duo.pair.settle();
            assertThat(duo.completed(LEFT))
                    .containsExactly("0 SUCCESS", "1 SUCCESS", "2 REMOTE_INVALID_REQUEST");
        }
    }

    @Test
    void aReadThatIsAnsweredAgainTakesNoRoomFromTheNext() {
        try (Duo duo = new Duo(o -> {}, a -> a.readsAsInitiator(1).readsAsResponder(1))) {
            // The first request comes again when its answer has left, on a link so slow that the
            // second answer to it has not left when the next request comes.
            duo.wire(LEFT).rule =
                    (_, index) -> index == 0 ? WireScript.Fate.DUPLICATE : WireScript.Fate.PASS;
            duo.wire(LEFT).reorderNs = 0;
            duo.pair.ports.get(RIGHT).carrier.psPerByte = 1_000_000;
            duo.pair.ports.get(RIGHT).carrier.budgetBytes = 50;
            duo.read(1, 8);
            duo.read(2, 8);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
        }
    }

    private static MemoryRegion source(Duo duo) {
        return duo.memory.get(LEFT);
    }

    /// Posts a request and another behind it, and expects the one NAK and the end of both sides.
    private static void refuses(Duo duo, Consumer<SendBatch> request, String nak) {
        duo.post(
                b -> {
                    request.accept(b);
                    b.id(1);
                });
        duo.send(2, 8);
        duo.pair.settle();
        boolean access = nak.equals(ACCESS);
        assertThat(duo.sent(RIGHT)).containsExactly(nak);
        assertThat(duo.completed(LEFT))
                .containsExactly(
                        access ? "1 REMOTE_ACCESS_ERROR" : "1 REMOTE_INVALID_REQUEST", "2 FLUSHED");
        assertThat(duo.left().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(duo.right().state()).isEqualTo(QueuePairState.ERROR);
        AsyncEvent event = Objects.requireNonNull(duo.pair.device(RIGHT).pollEvent());
        assertThat(event.type())
                .isEqualTo(
                        access
                                ? AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR
                                : AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR);
    }
}
