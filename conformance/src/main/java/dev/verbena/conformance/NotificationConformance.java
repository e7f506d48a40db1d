package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePairState;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Being told that there is something to poll: once for each time it was asked for.
public interface NotificationConformance extends Conformance {
    @Test
    default void listenerIsCalledOncePerArming(World world) {
        Connection connection = Connection.on(world);
        AtomicInteger calls = listenedTo(connection.right().received());
        Inbox received = connection.right().received();

        received.queue().arm(Notification.ANY);
        message(connection, false);
        message(connection, false);
        received.takeSuccesses(2);
        called(world, calls, 1);

        received.queue().arm(Notification.ANY);
        message(connection, false);
        received.next().succeeded();
        called(world, calls, 2);
    }

    @Test
    default void listenerIsNotCalledUnasked(World world) {
        Connection connection = Connection.on(world);
        AtomicInteger calls = listenedTo(connection.right().received());

        message(connection, true);

        connection.right().received().next().succeeded();
        called(world, calls, 0);
    }

    @Test
    default void completionsOfTheSendQueueNotify(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        AtomicInteger calls = listenedTo(left.sent());

        left.sent().queue().arm(Notification.ANY);
        left.post(batch -> batch.write(0, 0).signaled());

        left.sent().next().succeeded();
        called(world, calls, 1);
    }

    @Test
    default void solicitedMessagesAreMarkedAndOthersAreNot(World world) {
        world.needs(Feature.SOLICITED_MARK);
        Connection connection = Connection.on(world);
        message(connection, false);
        message(connection, true);

        assertThat(connection.right().received().takeSuccesses(2))
                .extracting(Seen::solicited)
                .containsExactly(false, true);
    }

    @Test
    default void armedForSolicitedOnlyOthersAreIgnored(World world) {
        Connection connection = Connection.on(world);
        Inbox received = connection.right().received();
        AtomicInteger calls = listenedTo(received);

        received.queue().arm(Notification.SOLICITED);
        message(connection, false);
        received.next().succeeded();
        called(world, calls, 0);

        message(connection, true);
        received.next().succeeded();
        called(world, calls, 1);
    }

    @Test
    default void solicitedWriteWithImmediateNotifies(World world) {
        Connection connection = Connection.on(world);
        Inbox received = connection.right().received();
        AtomicInteger calls = listenedTo(received);
        connection.right().receiveNothing(1);

        received.queue().arm(Notification.SOLICITED);
        connection
                .left()
                .post(
                        batch ->
                                batch.writeImmediate(
                                                connection.left().slice(0, 9000),
                                                connection.right().remote(0, 9000),
                                                5)
                                        .solicited());

        Seen arrived = received.next().succeeded();
        assertThat(arrived.solicited()).isEqualTo(world.has(Feature.SOLICITED_MARK));
        called(world, calls, 1);
    }

    @Test
    default void failureCountsAsSolicited(World world) {
        Connection connection = Connection.on(world);
        Side right = connection.right();
        AtomicInteger calls = listenedTo(right.received());
        right.receiveNothing(1);

        right.received().queue().arm(Notification.SOLICITED);
        right.pair().modify(QueuePairState.ERROR, attributes -> {});

        right.received().next().ended(CompletionStatus.FLUSHED);
        called(world, calls, 1);
    }

    @Test
    default void whatCameBeforeArmingDoesNotNotify(World world) {
        Connection connection = Connection.on(world);
        Inbox received = connection.right().received();
        AtomicInteger calls = listenedTo(received);
        message(connection, true);
        connection.left().sent().next().succeeded();
        world.advance(Inbox.QUIET);

        received.queue().arm(Notification.ANY);

        called(world, calls, 0);
        received.next().succeeded();
    }

    private static AtomicInteger listenedTo(Inbox inbox) {
        AtomicInteger calls = new AtomicInteger();
        inbox.queue().onNotification(calls::incrementAndGet);
        return calls;
    }

    private static void message(Connection connection, boolean solicited) {
        connection.right().receiveNothing(1);
        connection
                .left()
                .post(
                        batch -> {
                            batch.send().signaled();
                            if (solicited) {
                                batch.solicited();
                            }
                        });
    }

    /// Waits for so many calls, and that no more come. A device with a thread of its own may call
    /// after the completion could be polled.
    private static void called(World world, AtomicInteger calls, int expected) {
        world.advanceUntil(() -> calls.get() >= expected, Inbox.LIMIT);
        world.advance(Inbox.QUIET);
        assertThat(calls.get()).as("calls of the listener").isEqualTo(expected);
    }
}
