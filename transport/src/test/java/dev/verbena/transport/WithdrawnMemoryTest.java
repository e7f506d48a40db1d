package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// An unreliable message whose memory goes away in its middle, and the one after it.
class WithdrawnMemoryTest {
    private static final long MS = 1_000_000;

    private final Loopback network = new Loopback(1);

    @Test
    void nextMessageBeginsAtItsBeginning() {
        TransportDevice left = network.open("left");
        TransportDevice right = network.open("right");
        ProtectionDomain here = left.protectionDomain();
        ProtectionDomain there = right.protectionDomain();
        CompletionQueue sent = left.completionQueue(8);
        CompletionQueue arrived = right.completionQueue(8);
        QueuePair sender = here.queuePair(QueuePairType.UC, it -> it.completions(sent));
        QueuePair receiver = there.queuePair(QueuePairType.UC, it -> it.completions(arrived));
        // A byte takes a microsecond.
        sender.connect(receiver.endpoint(), it -> it.pathMtu(256).rateLimit(8_000_000));
        receiver.connect(sender.endpoint(), it -> it.pathMtu(256));
        MemoryRegion target = there.allocate(20_000, Access.LOCAL_WRITE);
        receiver.receives().receive().local(target, 0, 10_000).post();
        receiver.receives().receive().local(target, 10_000, 10_000).post();
        Arena arena = Arena.ofShared();
        MemoryRegion gone = here.register(arena.allocate(10_000));
        MemoryRegion good = here.allocate(1_000);
        good.segment().fill((byte) 7);

        sender.post(batch -> batch.send(gone.slice()).signaled());
        pass(2 * MS);
        arena.close();
        pass(20 * MS);
        assertThat(status(sent)).isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
        assertThat(sender.state()).isEqualTo(QueuePairState.SEND_QUEUE_ERROR);
        sender.modify(QueuePairState.READY_TO_SEND, it -> {});
        sender.post(batch -> batch.send(good.slice()).signaled());
        pass(20 * MS);

        assertThat(status(sent)).isEqualTo(CompletionStatus.SUCCESS);
        Completion done = arrived.poll();
        assertThat(done).isNotNull();
        assertThat(done.byteLength()).isEqualTo(1_000);
        MemorySegment bytes = target.segment().asSlice(0, 1_000);
        assertThat(bytes.mismatch(good.segment())).isEqualTo(-1);
    }

    private static CompletionStatus status(CompletionQueue queue) {
        Completion done = queue.poll();
        assertThat(done).isNotNull();
        return done.status();
    }

    private void pass(long ns) {
        long endNs = network.nowNs() + ns;
        while (network.nowNs() < endNs) {
            if (!network.turn()) {
                network.idle(endNs);
            }
        }
        network.turn();
    }
}
