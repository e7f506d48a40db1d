package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.UnsupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections that notice a dead peer although nothing is sent.
class KeepAliveTest {
    private static final int PORT = 7471;
    private static final int DEPTH = 16;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Loopback network = new Loopback(1);
    private final TransportDevice left = network.open("left");
    private final TransportDevice right = network.open("right");
    private final CompletionQueue done = left.completionQueue(DEPTH);
    private final CompletionQueue theirs = right.completionQueue(DEPTH);
    private final List<CompletionStatus> seen = new ArrayList<>();

    /// The other end of what was connected last.
    private @Nullable Connection passive;

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private static QueuePair pair(
            TransportDevice device, CompletionQueue queue, QueuePairType type, Access... rights) {
        return device.protectionDomain()
                .queuePair(type, it -> it.completions(queue).access(Set.of(rights)));
    }

    private Connection connected(QueuePair here, QueuePair there) throws Exception {
        try (Listener listener = right.listen(PORT, 4)) {
            Connection active = left.connect(here, Address.to(right.gids(1).getFirst()), PORT);
            ConnectionRequest request = listener.await(SECOND);
            assertThat(request).isNotNull();
            passive = request.accept(there);
            assertThat(active.await(SECOND)).isTrue();
            assertThat(passive.await(SECOND)).isTrue();
            return active;
        }
    }

    private Connection connected() throws Exception {
        return connected(
                pair(left, done, QueuePairType.RC, Access.REMOTE_WRITE),
                pair(right, theirs, QueuePairType.RC, Access.REMOTE_WRITE));
    }

    private void note(Completion completion) {
        seen.add(completion.status());
    }

    private long writesAtThePeer() {
        Long count = right.counters().get("rx_write_requests");
        return count == null ? 0 : count;
    }

    @Test
    void anIdlePeerThatLivesIsProbedAndNothingElseHappens() throws Exception {
        Connection connection = connected();
        connection.keepAlive(SECOND);

        assertThat(connection.awaitDisconnected(MINUTE)).isFalse();

        assertThat(connection.state()).isEqualTo(Connection.State.ESTABLISHED);
        assertThat(writesAtThePeer()).isBetween(59L, 60L);
        assertThat(connection.queuePair().sendRoom()).isEqualTo(DEPTH);
        assertThat(done.poll(DEPTH, this::note)).isZero();
        assertThat(left.pollEvent()).isNull();
    }

    @Test
    void theEndOfAnIdlePeerIsNoticedAndReported() throws Exception {
        Connection connection = connected();
        QueuePair here = connection.queuePair();
        here.postReceive(batch -> batch.receive());
        connection.keepAlive(SECOND);
        // Its queue pair is gone, without a word to its peer.
        lastPairOfThePeer().modify(QueuePairState.RESET, it -> {});

        assertThat(connection.awaitDisconnected(MINUTE)).isTrue();

        assertThat(here.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(done.poll(DEPTH, this::note)).isOne();
        assertThat(seen).containsExactly(CompletionStatus.FLUSHED);
        AsyncEvent event = left.pollEvent();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.QUEUE_PAIR_FATAL);
        assertThat(event.subject()).isEqualTo(here.number());
        assertThat(event.explanation()).contains("keep-alive", "RETRY_EXCEEDED", "REMOTE_WRITE");
    }

    @Test
    void thePassiveSideNoticesItAsWell() throws Exception {
        Connection active = connected();
        Connection other = Objects.requireNonNull(passive);
        other.keepAlive(SECOND);
        assertThat(other.awaitDisconnected(MINUTE)).isFalse();
        active.queuePair().modify(QueuePairState.RESET, it -> {});

        assertThat(other.awaitDisconnected(MINUTE)).isTrue();
        assertThat(other.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    private TransportQueuePair lastPairOfThePeer() {
        for (int i = right.engine().pairs.top() - 1; i >= 0; i--) {
            TransportQueuePair pair = right.engine().pairs.at(i);
            if (pair != null) {
                return pair;
            }
        }
        throw new AssertionError("it has one");
    }

    @Test
    void aPeerThatAcknowledgesWorkIsNotProbed() throws Exception {
        Connection connection = connected();
        connection.keepAlive(SECOND);
        for (int i = 0; i < 100; i++) {
            connection.queuePair().post(batch -> batch.write(0, 0).signaled());
            assertThat(done.await(SECOND, this::note)).isOne();
            assertThat(connection.awaitDisconnected(Duration.ofMillis(300))).isFalse();
        }

        assertThat(writesAtThePeer()).isEqualTo(100);
    }

    @Test
    void aKeepAliveLendsTheProgramNoRoom() throws Exception {
        Connection connection = connected();

        connection.keepAlive(SECOND);

        assertThat(connection.queuePair().sendRoom()).isEqualTo(DEPTH);
    }

    @Test
    void aProbeTakesNoRoomFromTheProgram() throws Exception {
        Connection connection = connected();
        connection.keepAlive(SECOND);
        lastPairOfThePeer().modify(QueuePairState.RESET, it -> {});
        // Until a probe waits for an answer that will not come.
        assertThat(connection.awaitDisconnected(Duration.ofMillis(1100))).isFalse();
        TransportQueuePair here = (TransportQueuePair) connection.queuePair();
        assertThat(here.sendQueue().count()).isOne();

        for (int i = 0; i < DEPTH; i++) {
            assertThat(here.post(batch -> batch.write(0, 0))).isTrue();
        }
        assertThat(here.post(batch -> batch.write(0, 0))).as("one too many").isFalse();

        assertThat(connection.awaitDisconnected(MINUTE)).isTrue();
        done.poll(DEPTH, this::note);
        assertThat(seen).hasSize(DEPTH).containsOnly(CompletionStatus.FLUSHED);
    }

    @Test
    void isRefusedWhereItWouldFailTheConnection() throws Exception {
        Connection connection =
                connected(
                        pair(left, done, QueuePairType.RC),
                        pair(right, theirs, QueuePairType.RC, Access.REMOTE_WRITE));

        assertThatThrownBy(() -> connection.keepAlive(SECOND))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("REMOTE_WRITE");
    }

    @Test
    void isRefusedWithSenselessIntervalsAndForUnreliablePeers() throws Exception {
        Connection reliable = connected();
        for (Duration interval :
                List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(400))) {
            assertThatThrownBy(() -> reliable.keepAlive(interval))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("no keep-alive every " + interval);
        }
        Connection unreliable =
                connected(
                        pair(left, done, QueuePairType.UC, Access.REMOTE_WRITE),
                        pair(right, theirs, QueuePairType.UC, Access.REMOTE_WRITE));
        assertThatThrownBy(() -> unreliable.keepAlive(SECOND))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("does not answer");
    }

    @Test
    void hasNoEffectOnAConnectionThatHasEnded() throws Exception {
        Connection connection = connected();
        connection.disconnect();
        connection.keepAlive(SECOND);
        assertThat(connection.awaitDisconnected(MINUTE)).isTrue();
        assertThat(writesAtThePeer()).isZero();
    }
}
