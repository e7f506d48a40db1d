package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// States of an unreliable connection: a failure of its send queue does not affect its receive
/// queue.
public interface SendQueueErrorConformance extends Conformance {
    @Test
    default void closedArenaStopsTheSendQueueOnly(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();

        stop(left, 1, 2, 3);

        List<Seen> ends = left.sent().take(3);
        assertThat(ends).extracting(Seen::id).containsExactly(1L, 2L, 3L);
        assertThat(ends)
                .extracting(Seen::status)
                .containsExactly(
                        CompletionStatus.LOCAL_PROTECTION_ERROR,
                        CompletionStatus.FLUSHED,
                        CompletionStatus.FLUSHED);
        left.comesTo(QueuePairState.SEND_QUEUE_ERROR);
        assertThat(left.pair().query().currentState()).isEqualTo(QueuePairState.SEND_QUEUE_ERROR);
        connection.right().received().staysEmpty();
    }

    @Test
    default void stoppedSendQueueFlushesWhatIsPosted(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        stopAndTake(left);

        left.post(batch -> batch.send().id(5).send().id(6).signaled());

        assertThat(left.sent().take(2))
                .allSatisfy(seen -> seen.ended(CompletionStatus.FLUSHED))
                .extracting(Seen::id)
                .containsExactly(5L, 6L);
        assertThat(left.pair().state()).isEqualTo(QueuePairState.SEND_QUEUE_ERROR);
    }

    @Test
    default void stoppedSendQueueStillReceives(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        left.receive(1, 0, 3000);
        stopAndTake(left);
        left.receive(2, 0, 3000);
        right.fill(0, 3000, 1);

        for (int id = 1; id <= 2; id++) {
            Seen seen =
                    left.received()
                            .arrival(() -> right.post(batch -> batch.send(right.slice(0, 3000))));
            assertThat(seen.succeeded().id()).isEqualTo(id);
        }

        left.holds(0, right.bytes(0, 3000));
    }

    @Test
    default void stoppedSendQueueStartsAgain(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        for (int i = 0; i < 3; i++) {
            stopAndTake(left);
            left.pair()
                    .modify(
                            QueuePairState.READY_TO_SEND,
                            given -> given.currentState(QueuePairState.SEND_QUEUE_ERROR));
            connection.right().receive(i, 0, 2000);
            UnreliableConformance.stillWorks(connection, 2000);
        }
    }

    @Test
    default void stoppedSendQueueCanFailAltogether(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        left.receive(7, 0, 100);
        stopAndTake(left);

        Mistakes.refused(
                WrongStateException.class,
                () -> left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {}));
        left.pair().modify(QueuePairState.ERROR, given -> {});

        assertThat(left.received().next().ended(CompletionStatus.FLUSHED).id()).isEqualTo(7);
        left.pair().modify(QueuePairState.RESET, given -> {});
        left.pair().connect(connection.right().pair().endpoint());
        connection.right().receive(1, 0, 100);
        UnreliableConformance.stillWorks(connection, 100);
    }

    @Test
    default void closedArenaFailsTheReceiverOfAnUnreliableMessage(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        Arena arena = Arena.ofShared();
        MemoryRegion target = right.domain().register(arena.allocate(1000), Access.LOCAL_WRITE);
        right.receive(6, target.slice());
        arena.close();

        Seen failed =
                right.received().arrival(() -> left.post(batch -> batch.send(left.slice(0, 1000))));

        assertThat(failed.ended(CompletionStatus.LOCAL_PROTECTION_ERROR).id()).isEqualTo(6);
        right.comesTo(QueuePairState.ERROR);
        assertThat(left.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    default void unreliableQueueIsHeldWhileItDrains(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> given.drainNotify(true));
        left.raises(AsyncEvent.Type.SEND_QUEUE_DRAINED);

        left.post(batch -> batch.send(left.slice(0, 1000)).signaled());

        left.sent().staysEmpty();
        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});
        left.sent().next().succeeded();
    }

    @Test
    default void unreliableMessageThatWasBegunIsFinishedBeforeItDrains(World world) {
        world.needs(Feature.RATE_LIMIT);
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .pathMtu(256)
                        .attributes(given -> given.rateLimit(400_000))
                        .connect();
        Side left = connection.left();
        left.post(
                batch ->
                        batch.send(left.slice(0, 10_000))
                                .id(1)
                                .signaled()
                                .send(left.slice(0, 10))
                                .id(2)
                                .signaled());
        // It takes a fifth of a second.
        world.advance(Duration.ofMillis(20));

        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> given.drainNotify(true));

        assertThat(left.hasRaised(AsyncEvent.Type.SEND_QUEUE_DRAINED)).isFalse();
        left.raises(AsyncEvent.Type.SEND_QUEUE_DRAINED);
        assertThat(left.sent().next().succeeded().id()).isEqualTo(1);
        left.sent().staysEmpty();
        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});
        assertThat(left.sent().next().succeeded().id()).isEqualTo(2);
    }

    @Test
    default void failedUnreliablePairFlushesBothQueues(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        left.receive(1, 0, 100);
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});
        left.post(batch -> batch.send(left.slice(0, 1000)).id(2));

        left.pair().modify(QueuePairState.ERROR, given -> {});
        left.post(batch -> batch.send().id(3));
        left.receive(4, 0, 100);

        assertThat(left.sent().take(2))
                .allSatisfy(seen -> seen.ended(CompletionStatus.FLUSHED))
                .extracting(Seen::id)
                .containsExactly(2L, 3L);
        assertThat(left.received().take(2))
                .allSatisfy(seen -> seen.ended(CompletionStatus.FLUSHED))
                .extracting(Seen::id)
                .containsExactly(1L, 4L);
        assertThat(connection.right().pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    default void rightsCanBeTakenFromALiveUnreliablePair(World world) {
        Connection connection = UnreliableConformance.unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);

        right.pair().modify(QueuePairState.READY_TO_SEND, given -> given.access(Set.of()));
        left.post(batch -> batch.write(left.slice(0, 100), right.remote(0, 100)).signaled());

        left.sent().next().succeeded();
        world.advance(Inbox.QUIET);
        right.isUntouched(0, 100);
        assertThat(right.pair().type()).isEqualTo(QueuePairType.UC);
    }

    /// Lets the first of several sends fail, because its memory is gone.
    private static void stop(Side side, long... ids) {
        side.world().needs(Feature.CLOSED_ARENAS);
        Arena arena = Arena.ofShared();
        MemoryRegion source = side.domain().register(arena.allocate(1000));
        // Held in the queue, so that the arena is closed for certain before it is sent.
        side.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});
        side.post(
                batch -> {
                    batch.send(source.slice()).id(ids[0]);
                    for (int i = 1; i < ids.length; i++) {
                        batch.send(side.slice(0, 10)).id(ids[i]);
                    }
                });
        arena.close();
        side.pair().modify(QueuePairState.READY_TO_SEND, given -> {});
    }

    private static void stopAndTake(Side side) {
        stop(side, 1);
        side.sent().next().ended(CompletionStatus.LOCAL_PROTECTION_ERROR);
        side.comesTo(QueuePairState.SEND_QUEUE_ERROR);
    }
}
