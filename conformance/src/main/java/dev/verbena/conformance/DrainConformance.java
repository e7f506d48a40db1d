package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/// Draining the send queue: begun work is finished, new work waits.
public interface DrainConformance extends Conformance {
    @Test
    default void drainedQueueSaysSo(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 30_000, 1);
        left.post(batch -> batch.write(left.slice(0, 30_000), right.remote(0, 30_000)).signaled());
        left.sent().next().succeeded();

        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> given.drainNotify(true));

        left.raises(AsyncEvent.Type.SEND_QUEUE_DRAINED);
        assertThat(left.pair().state()).isEqualTo(QueuePairState.SEND_QUEUE_DRAINED);
    }

    @Test
    default void begunWorkIsFinishedBeforeTheQueueIsDrained(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, 60_000, 1);
        // The first of these may have started by now or not; started work must end before the
        // event.
        left.post(
                batch -> {
                    for (int i = 0; i < 6; i++) {
                        batch.read(
                                        left.slice(i * 10_000L, 10_000),
                                        right.remote(i * 10_000L, 10_000))
                                .id(i)
                                .signaled();
                    }
                });
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> given.drainNotify(true));
        left.raises(AsyncEvent.Type.SEND_QUEUE_DRAINED);
        byte[] atEvent = left.bytes(0, 60_000);
        world.advance(Inbox.QUIET);
        assertThat(left.bytes(0, 60_000)).as("nothing moves once drained").isEqualTo(atEvent);

        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});

        assertThat(left.sent().takeSuccesses(6))
                .extracting(Seen::id)
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        left.holds(0, right.bytes(0, 60_000));
    }

    @Test
    default void drainingWithoutNotifyIsSilent(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();

        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});
        world.advance(Inbox.QUIET);

        assertThat(left.hasRaised(AsyncEvent.Type.SEND_QUEUE_DRAINED)).isFalse();
    }

    @Test
    default void workPostedWhileDrainedWaits(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});

        left.post(batch -> batch.write(left.slice(0, 100), right.remote(0, 100)).id(1).signaled());
        left.sent().staysEmpty();
        right.isUntouched(0, 100);
        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});

        assertThat(left.sent().next().succeeded().id()).isEqualTo(1);
        right.holds(0, left.bytes(0, 100));
    }

    @Test
    default void drainedPairStillAnswersItsPeer(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        left.receive(1, 1000, 100);
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});

        right.post(
                batch ->
                        batch.send(right.slice(0, 100))
                                .read(right.slice(200, 100), left.remote(0, 100))
                                .signaled());

        right.sent().next().succeeded();
        left.received().next().succeeded();
        right.holds(200, left.bytes(0, 100));
    }

    @Test
    default void attributesCanBeChangedWhileDrained(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> given.drainNotify(true));
        left.raises(AsyncEvent.Type.SEND_QUEUE_DRAINED);

        left.pair()
                .modify(
                        QueuePairState.SEND_QUEUE_DRAINED,
                        given -> given.timeout(17).retryCount(3).rnrRetry(2).readsAsInitiator(1));
        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});

        assertThat(left.pair().query().timeout()).isEqualTo(17);
        assertThat(left.pair().query().retryCount()).isEqualTo(3);
        assertThat(left.pair().query().rnrRetry()).isEqualTo(2);
        assertThat(left.pair().query().readsAsInitiator()).isEqualTo(1);
        connection.works();
    }

    @Test
    default void heldWorkIsFlushedOnError(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});
        left.post(batch -> batch.send(left.slice(0, 100)).id(1).send().id(2));

        left.pair().modify(QueuePairState.ERROR, given -> {});

        assertThat(left.sent().take(2))
                .extracting(Seen::status)
                .containsOnly(CompletionStatus.FLUSHED);
    }
}
