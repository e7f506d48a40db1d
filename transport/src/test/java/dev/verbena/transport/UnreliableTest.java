package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkQueue;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Corners of datagrams and of completions that only this transport can be asked about.
class UnreliableTest {
    private final Loopback network = new Loopback(1);
    private final TransportDevice device = network.open("alone");
    private final ProtectionDomain domain = device.protectionDomain();
    private final CompletionQueue sent = device.completionQueue(64);
    private final CompletionQueue received = device.completionQueue(64);

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void sendsToOneselfCompleteInOrderAlsoWhenTheyBreakTheReceiver() {
        QueuePair pair = datagrams();
        AddressHandle way = domain.addressHandle(Address.to(pair.endpoint()));
        MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);
        Arena arena = Arena.ofShared();
        MemoryRegion lost = domain.register(arena.allocate(64, 8), Access.LOCAL_WRITE);
        pair.postReceive(batch -> batch.receive(lost.slice()));
        arena.close();
        pair.post(
                batch -> {
                    for (int id = 1; id <= 20; id++) {
                        batch.send(region.slice(0, 8)).to(way, pair.endpoint()).id(id).signaled();
                    }
                });
        // The network hands 16 packets over at once, here in the middle of the call that sends.
        List<Map.Entry<Long, CompletionStatus>> expected = new ArrayList<>();
        for (long id = 1; id <= 20; id++) {
            expected.add(
                    Map.entry(id, id <= 16 ? CompletionStatus.SUCCESS : CompletionStatus.FLUSHED));
        }
        assertThat(statuses(sent)).containsExactlyElementsOf(expected);
    }

    @Test
    void aReceiveThatNoDatagramFitsIsRefused() {
        QueuePair pair = datagrams();
        MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);
        assertThatThrownBy(() -> pair.postReceive(batch -> batch.receive(region.slice(0, 39))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("39 bytes for a datagram");
        assertThat(pair.postReceive(batch -> batch.receive(region.slice(0, 40)))).isTrue();
    }

    @Test
    void aQueueKeyThatNoSenderCanUseIsRefused() {
        assertThatThrownBy(
                        () ->
                                domain.queuePair(
                                        QueuePairType.UD,
                                        it -> it.completions(sent).queueKey(0x8001_0000)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("0x80010000");
    }

    @Test
    void aConnectedReceiveShowsNothingOfDatagrams() {
        QueuePair left = connectable();
        QueuePair right = connectable();
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        right.postReceive(batch -> batch.receive());
        left.post(batch -> batch.sendImmediate(0x8000_0000));
        Completion done = received.poll();
        while (done == null) {
            done = received.poll();
        }
        assertThat(done.immediate()).isEqualTo(0x8000_0000);
        assertThat(done.sourceLid()).isZero();
        assertThat(done.serviceLevel()).isZero();
        assertThat(done.sourceQueuePair()).isZero();
        assertThat(done.hasGlobalHeader()).isFalse();
    }

    @Test
    void aReceiveThatAMessageIsPutIntoStillTakesItsRoom() {
        WorkSlab work = new WorkSlab(16);
        WorkQueue queue = new WorkQueue(work, 2);
        for (int i = 0; i < 2; i++) {
            int slot = work.take(Work.RECEIVE, i);
            queue.append(slot, slot, 1);
        }
        assertThat(queue.room()).isZero();
        queue.take();
        assertThat(queue.room()).isZero();
        queue.done();
        assertThat(queue.room()).isEqualTo(1);
    }

    private QueuePair datagrams() {
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.UD,
                        it -> it.sendCompletions(sent).receiveCompletions(received));
        pair.activate();
        return pair;
    }

    private QueuePair connectable() {
        return domain.queuePair(
                QueuePairType.RC, it -> it.sendCompletions(sent).receiveCompletions(received));
    }

    private static List<Map.Entry<Long, CompletionStatus>> statuses(CompletionQueue queue) {
        List<Map.Entry<Long, CompletionStatus>> seen = new ArrayList<>();
        queue.await(Duration.ofMillis(10), done -> seen.add(Map.entry(done.id(), done.status())));
        return seen;
    }
}
