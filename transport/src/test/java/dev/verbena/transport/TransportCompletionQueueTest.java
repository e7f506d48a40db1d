package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransportCompletionQueueTest {
    @Test
    void aNumberIsNotGivenTwice() {
        try (Device device = new Loopback(1).open("left")) {
            CompletionQueue first = device.completionQueue(1);
            first.close();
            CompletionQueue second = device.completionQueue(1);
            assertThat(first.number()).isEqualTo(1);
            assertThat(second.number()).isEqualTo(2);
            assertThat(second).hasToString("cq 2");
            assertThatThrownBy(first::poll)
                    .isInstanceOf(ClosedException.class)
                    .hasMessageStartingWith("cq 1: it was closed");
        }
    }

    @Test
    void theEventOfAQueueThatRanOverNamesIt() {
        try (Device device = new Loopback(1).open("left");
                ProtectionDomain domain = device.protectionDomain();
                CompletionQueue other = device.completionQueue(1);
                CompletionQueue small = device.completionQueue(1);
                MemoryRegion region = domain.allocate(8, Access.LOCAL_WRITE);
                QueuePair pair =
                        domain.queuePair(
                                QueuePairType.RC,
                                it -> it.sendCompletions(other).receiveCompletions(small));
                QueuePair sharing =
                        domain.queuePair(
                                QueuePairType.RC,
                                it -> it.sendCompletions(other).receiveCompletions(small))) {
            for (QueuePair one : List.of(sharing, pair)) {
                one.postReceive(batch -> batch.receive(region.slice()));
                one.modify(QueuePairState.ERROR, it -> {});
            }
            AsyncEvent event = device.pollEvent();
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.COMPLETION_QUEUE_ERROR);
            assertThat(event.subject()).isEqualTo(small.number());
            assertThat(event.explanation())
                    .startsWith("cq 2 of 1 ran over and lost a completion of " + pair)
                    .contains("make it as large as");
        }
    }
}
