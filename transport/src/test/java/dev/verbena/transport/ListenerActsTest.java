package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A listener of a completion queue may do what it likes to the queue pair that has just completed
/// something; no other notices.
class ListenerActsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// What the listener does.
    enum Act {
        CLOSE,
        RESET,
        FAIL,
        POST;

        void on(QueuePair pair) {
            switch (this) {
                case CLOSE -> pair.close();
                case RESET -> pair.modify(QueuePairState.RESET, it -> {});
                case FAIL -> pair.modify(QueuePairState.ERROR, it -> {});
                case POST -> pair.post(batch -> batch.send().signaled());
            }
        }
    }

    private final Loopback network = new Loopback(1);
    private final TransportDevice left = network.open("left");

    // One acknowledgement for all that is posted together.
    private final TransportDevice right = network.open("right", it -> it.acknowledge(8, 2_000_000));
    private final ProtectionDomain here = left.protectionDomain();
    private final ProtectionDomain there = right.protectionDomain();
    private final CompletionQueue done = left.completionQueue(64);
    private final CompletionQueue arrived = right.completionQueue(64);
    private final MemoryRegion from = here.allocate(4096, Access.LOCAL_WRITE);
    private final MemoryRegion to =
            there.allocate(
                    4096,
                    Access.LOCAL_WRITE,
                    Access.REMOTE_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_ATOMIC);
    private final List<QueuePair> peers = new ArrayList<>();

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private QueuePair connected(QueuePairType type, CompletionQueue queue) {
        QueuePair near = here.queuePair(type, it -> it.completions(queue));
        QueuePair far = there.queuePair(type, it -> it.completions(arrived));
        near.connect(far.endpoint());
        far.connect(near.endpoint());
        peers.add(far);
        return near;
    }

    @ParameterizedTest
    @EnumSource
    void afterWritesThatAreAcknowledgedTogether(Act act) {
        endsNothingElse(
                act,
                batch -> {
                    for (int i = 0; i < 4; i++) {
                        batch.write(from.slice(0, 64), to.remote().slice(0, 64)).signaled();
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void afterAWriteThatTheAnswerToAReadAcknowledges(Act act) {
        endsNothingElse(
                act,
                batch -> {
                    batch.write(from.slice(0, 64), to.remote().slice(0, 64)).signaled();
                    batch.read(from.slice(64, 64), to.remote().slice(0, 64)).signaled();
                });
    }

    @ParameterizedTest
    @EnumSource
    void afterAWriteThatTheAnswerToAnAtomicAcknowledges(Act act) {
        endsNothingElse(
                act,
                batch -> {
                    batch.write(from.slice(0, 64), to.remote().slice(0, 64)).signaled();
                    batch.fetchAndAdd(from.slice(64, 8), to.remote().slice(64, 8), 1).signaled();
                });
    }

    private void endsNothingElse(Act act, Consumer<SendBatch> work) {
        QueuePair ends = connected(QueuePairType.RC, done);
        CompletionQueue others = left.completionQueue(64);
        QueuePair other = connected(QueuePairType.RC, others);
        done.onNotification(() -> act.on(ends));
        done.arm(Notification.ANY);

        ends.post(work);
        assertThat(done.await(LIMIT, it -> {})).isPositive();

        other.post(it -> it.write(from.slice(0, 8), to.remote().slice(0, 8)).signaled());
        assertThat(others.await(LIMIT, it -> assertThat(it.isSuccess()).isTrue())).isOne();
    }

    @Test
    void whatAListenerCausesIsToldAfterItAndNotInsideOfIt() {
        QueuePair ends = connected(QueuePairType.RC, done);
        CompletionQueue others = left.completionQueue(64);
        QueuePair other = connected(QueuePairType.RC, others);
        other.postReceive(it -> it.receive());
        List<String> told = new ArrayList<>();
        done.onNotification(
                () -> {
                    told.add("first begins");
                    other.modify(QueuePairState.ERROR, it -> {});
                    told.add("first ends");
                });
        others.onNotification(() -> told.add("second"));
        done.arm(Notification.ANY);
        others.arm(Notification.ANY);

        ends.post(it -> it.write(from.slice(0, 8), to.remote().slice(0, 8)).signaled());
        assertThat(done.await(LIMIT, it -> {})).isOne();

        assertThat(told).containsExactly("first begins", "first ends", "second");
    }

    @Test
    void bytesOfAnUnreliableMessageHaveLeftWhenItsCompletionIsTold() {
        QueuePair near = connected(QueuePairType.UC, done);
        MemoryRegion inbox = there.allocate(1000, Access.LOCAL_WRITE);
        peers.getFirst().postReceive(it -> it.receive(inbox.slice()));
        from.segment().fill((byte) 'A');
        done.onNotification(() -> from.segment().fill((byte) 'B'));
        done.arm(Notification.ANY);

        near.post(it -> it.send(from.slice(0, 1000)).signaled());

        assertThat(arrived.await(LIMIT, it -> {})).isOne();
        assertThat(inbox.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly('A');
    }
}
