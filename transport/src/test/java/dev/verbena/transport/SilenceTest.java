package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What would go wrong in silence says so.
class SilenceTest {
    private static final int PORT = 7471;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Loopback network = new Loopback(1);
    private final TransportDevice left = network.open("left");
    private final TransportDevice right = network.open("right");
    private final ProtectionDomain here = left.protectionDomain();
    private final CompletionQueue done = left.completionQueue(16);
    private final CompletionQueue theirs = right.completionQueue(16);
    private final MemoryRegion memory = here.allocate(64, Access.LOCAL_WRITE);
    private final QueuePair pair = here.queuePair(QueuePairType.RC, it -> it.completions(done));
    private final QueuePair peer =
            right.protectionDomain().queuePair(QueuePairType.RC, it -> it.completions(theirs));

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @Test
    void aSenderThatWaitsASecondForAReceiveReportsItOnce() {
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
        pair.post(batch -> batch.send(memory.slice()).signaled());
        assertThat(done.await(Duration.ofMillis(900), it -> {})).isZero();
        assertThat(left.pollEvent()).isNull();

        assertThat(done.await(SECOND, it -> {})).isZero();
        AsyncEvent event = left.pollEvent();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.RECEIVER_NOT_READY);
        assertThat(event.subject()).isEqualTo(pair.number());
        assertThat(event.explanation())
                .contains(pair.toString(), peer.toString(), "RNR NAKs", "post receives");
        assertThat(done.await(SECOND, it -> {})).isZero();
        assertThat(left.pollEvent()).isNull();
    }

    @Test
    void aReceiverThatIsSlowNowAndThenIsNotReported() {
        MemoryRegion far = peer.domain().allocate(64, Access.LOCAL_WRITE);
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
        for (int i = 0; i < 5; i++) {
            pair.post(batch -> batch.send(memory.slice()).signaled());
            assertThat(done.await(Duration.ofMillis(500), it -> {})).isZero();
            peer.postReceive(batch -> batch.receive(far.slice()));
            assertThat(done.await(SECOND, it -> {})).isOne();
        }
        assertThat(left.pollEvent()).isNull();
    }

    private record Ends(Connection active, Connection passive) {}

    private Ends connected() throws Exception {
        try (Listener listener = right.listen(PORT, 4)) {
            Connection active = left.connect(pair, Address.to(right.gids(1).getFirst()), PORT);
            ConnectionRequest request = listener.await(SECOND);
            assertThat(request).isNotNull();
            Connection passive = request.accept(peer);
            assertThat(active.await(SECOND)).isTrue();
            assertThat(passive.await(SECOND)).isTrue();
            return new Ends(active, passive);
        }
    }

    @Test
    void aConnectionEndsWithItsQueuePairOnBothSides() throws Exception {
        Ends ends = connected();
        pair.modify(QueuePairState.ERROR, it -> {});

        assertThat(ends.active.state()).isEqualTo(Connection.State.DISCONNECTED);
        assertThat(ends.passive.awaitDisconnected(SECOND)).isTrue();
        assertThat(peer.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void aConnectionWhoseQueuePairFailsBeforeItIsMadeFails() {
        Connection active = left.connect(pair, Address.to(right.gids(1).getFirst()), PORT);
        pair.modify(QueuePairState.ERROR, it -> {});

        assertThat(active.state()).isEqualTo(Connection.State.FAILED);
        assertThatThrownBy(() -> active.await(SECOND))
                .isInstanceOf(ConnectionFailedException.class)
                .hasMessageContaining("closed or failed before it was connected");
    }

    @Test
    void aConnectionEndsWhenThePeerNoLongerAnswers() throws Exception {
        Ends ends = connected();
        MemoryRegion far = peer.domain().allocate(64, Access.REMOTE_WRITE);
        // Its queue pair is gone, without a word to its peer.
        peer.modify(QueuePairState.RESET, it -> {});
        pair.post(batch -> batch.write(memory.slice(), far.remote()).signaled());

        assertThat(ends.active.awaitDisconnected(Duration.ofSeconds(30))).isTrue();
        assertThat(done.poll(1, it -> assertThat(it.isSuccess()).isFalse())).isOne();
    }

    @Test
    void theReasonReachesThePeerBeforeTheEndOfTheConnection() throws Exception {
        Ends ends = connected();
        pair.post(batch -> batch.write(0x1000, 0x1234).local(memory, 0, 8).signaled());

        assertThat(
                        done.await(
                                SECOND,
                                it ->
                                        assertThat(it.status().name())
                                                .isEqualTo("REMOTE_ACCESS_ERROR")))
                .isOne();
        assertThat(ends.active.awaitDisconnected(SECOND)).isTrue();
        assertThat(ends.passive.awaitDisconnected(SECOND)).isTrue();
    }
}
