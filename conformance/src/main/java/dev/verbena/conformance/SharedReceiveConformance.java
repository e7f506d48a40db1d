package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Receive requests that several queue pairs take from, in the order of their messages.
public interface SharedReceiveConformance extends Conformance {
    @Test
    default void messagesOfAllPairsTakeTheOldestRequest(World world) {
        Connection first = sharing(world);
        Connection second = first.another();
        Connection third = first.another();
        int room = first.right().shared().room();
        for (int i = 0; i < 9; i++) {
            first.right().receive(i, i * 100L, 100);
        }

        int next = 0;
        for (Connection connection : List.of(third, first, second, second, first, third)) {
            Side left = connection.left();
            left.fill(0, 100, next);
            left.post(batch -> batch.send(left.slice(0, 100)).signaled());
            left.sent().next().succeeded();
            Seen seen = connection.right().received().next().succeeded();
            assertThat(seen.id()).isEqualTo(next);
            assertThat(seen.queuePair()).isEqualTo(connection.right().pair().number());
            connection.right().holds(next * 100L, left.bytes(0, 100));
            next++;
        }
        assertThat(first.right().shared().room()).isEqualTo(room - 3);
    }

    @Test
    default void manyPairsShareOneQueueAndEachRequestIsUsedOnce(World world) {
        Connection first = sharing(world);
        List<Connection> all = new ArrayList<>(List.of(first));
        for (int i = 0; i < 7; i++) {
            all.add(first.another());
        }
        for (int i = 0; i < 64; i++) {
            first.right().receive(i, i * 16L, 16);
        }

        for (Connection connection : all) {
            Side left = connection.left();
            left.post(
                    batch -> {
                        for (int i = 0; i < 8; i++) {
                            batch.sendImmediate(left.slice(0, 16), i).signaled();
                        }
                    });
        }

        List<Long> ids = new ArrayList<>();
        for (Connection connection : all) {
            connection.left().sent().takeSuccesses(8);
            List<Seen> seen = connection.right().received().takeSuccesses(8);
            for (int i = 0; i < 8; i++) {
                assertThat(seen.get(i).immediate()).hasValue(i);
                ids.add(seen.get(i).id());
            }
        }
        assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 64).boxed().toList());
    }

    @Test
    default void longMessagesOfSeveralPairsDoNotMix(World world) {
        Connection first =
                Setup.of(world).memoryBytes(1 << 17).pathMtu(256).rightShares(64).connect();
        List<Connection> all = List.of(first, first.another(), first.another());
        for (int i = 0; i < 3; i++) {
            first.right().receive(i, i * 10_000L, 10_000);
        }
        for (int i = 0; i < 3; i++) {
            Side left = all.get(i).left();
            // Sides of one device share their memory.
            long at = i * 10_000L;
            left.fill(at, 10_000, i);
            left.post(batch -> batch.send(left.slice(at, 10_000)).signaled());
        }

        for (int i = 0; i < 3; i++) {
            Seen seen = all.get(i).right().received().next().succeeded();
            seen.of(CompletedOperation.RECEIVE, 10_000);
            first.right().holds(seen.id() * 10_000, first.left().bytes(i * 10_000L, 10_000));
        }
    }

    @Test
    default void writeWithImmediateTakesASharedRequest(World world) {
        Connection connection = sharing(world);
        Side left = connection.left();
        Side right = connection.right();
        right.receiveNothing(3);

        left.post(batch -> batch.writeImmediate(left.slice(0, 50), right.remote(0, 50), 6));

        Seen seen = right.received().next().succeeded();
        seen.of(CompletedOperation.RECEIVE_WRITE_IMMEDIATE, 50);
        assertThat(seen.id()).isEqualTo(3);
        assertThat(seen.immediate()).hasValue(6);
    }

    @Test
    default void emptySharedQueueLetsSendersWait(World world) {
        Connection first = Setup.of(world).rnrRetry(7).rightShares(64).connect();
        Connection second = Setup.of(world).rnrRetry(7).connect();
        Side left = first.left();
        left.post(batch -> batch.send(left.slice(0, 100)).signaled());
        left.sent().staysEmpty();
        second.works();

        first.right().receive(4, 0, 100);

        left.sent().next().succeeded();
        assertThat(first.right().received().next().succeeded().id()).isEqualTo(4);
    }

    @Test
    default void emptySharedQueueFailsTheSenderAfterItsRetries(World world) {
        Connection connection = Setup.of(world).rnrRetry(1).rightShares(64).connect();

        connection.left().fails(CompletionStatus.RNR_RETRY_EXCEEDED, batch -> batch.send());

        assertThat(connection.right().pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    default void sharedRequestsMayBePostedBeforeAnyPairIsThere(World world) {
        world.needs(Feature.SHARED_RECEIVES);
        ProtectionDomain domain = world.device(1).protectionDomain();
        SharedReceiveQueue queue = domain.sharedReceiveQueue(8);
        MemoryRegion memory = domain.allocate(100, Access.LOCAL_WRITE);
        int room = queue.room();
        assertThat(room).isGreaterThanOrEqualTo(8);

        assertThat(queue.postReceive(batch -> batch.receive(memory.slice()).id(1))).isTrue();

        assertThat(queue.room()).isEqualTo(room - 1);
        assertThat(queue.domain()).isSameAs(domain);
    }

    @Test
    default void sharedQueueTakesAllOfABatchOrNothing(World world) {
        Connection connection = Setup.of(world).rightShares(4).connect();
        SharedReceiveQueue queue = connection.right().shared();
        int room = queue.room();
        assertThat(room).isGreaterThanOrEqualTo(4);

        assertThat(
                        queue.postReceive(
                                batch -> {
                                    for (int i = 0; i <= room; i++) {
                                        batch.receive();
                                    }
                                }))
                .isFalse();

        assertThat(queue.room()).isEqualTo(room);
        for (int i = 0; i < room; i++) {
            connection.right().receiveNothing(i);
        }
        assertThat(queue.room()).isZero();
        assertThat(queue.postReceive(batch -> batch.receive())).isFalse();
        connection.left().post(batch -> batch.send());
        connection.right().received().next().succeeded();
        assertThat(queue.room()).isEqualTo(1);
    }

    /// Receives belong to the domain of their queue, messages to that of their queue pair.
    @Test
    default void sharedQueueOfAnotherDomainServesToo(World world) {
        world.needs(Feature.SHARED_RECEIVES);
        ProtectionDomain other = world.device(1).protectionDomain();
        MemoryRegion memory = other.allocate(100, Access.LOCAL_WRITE);
        SharedReceiveQueue queue = other.sharedReceiveQueue(8);
        Connection connection =
                Setup.of(world).rightOptions(options -> options.sharedReceives(queue)).connect();
        Side left = connection.left();
        left.fill(0, 100, 1);
        queue.postReceive(batch -> batch.receive(memory.slice()).id(1));

        left.post(batch -> batch.send(left.slice(0, 100)));

        connection.right().received().next().succeeded();
        assertThat(memory.segment().mismatch(left.memory().segment().asSlice(0, 100)))
                .isEqualTo(-1);
    }

    @Test
    default void failedPairLeavesTheSharedRequestsToOthers(World world) {
        Connection first = sharing(world);
        Connection second = first.another();
        Side right = first.right();
        right.receive(1, 0, 100);
        right.receive(2, 100, 100);

        right.pair().modify(QueuePairState.ERROR, given -> {});

        right.raises(AsyncEvent.Type.LAST_WORK_REQUEST);
        right.received().staysEmpty();
        right.pair().modify(QueuePairState.ERROR, given -> {});
        int number = right.pair().number();
        assertThat(right.count(AsyncEvent.Type.LAST_WORK_REQUEST, number)).isEqualTo(1);
        second.left().post(batch -> batch.send(second.left().slice(0, 10)).send());
        assertThat(second.right().received().takeSuccesses(2))
                .extracting(Seen::id)
                .containsExactly(1L, 2L);
    }

    /// Only the request of the message that was coming in is lost with its pair.
    @Test
    default void failedPairFlushesTheSharedRequestThatItHeld(World world) {
        world.needs(Feature.RATE_LIMIT);
        Connection first =
                Setup.of(world)
                        .pathMtu(256)
                        .rightShares(16)
                        .leftAttributes(given -> given.rateLimit(400_000))
                        .connect();
        Connection second = first.another();
        Side right = first.right();
        right.receive(1, 0, 30_000);
        right.receive(2, 30_000, 100);
        first.left().fill(0, 30_000, 1);
        first.left().post(batch -> batch.send(first.left().slice(0, 30_000)));
        // The message takes more than half a second.
        right.beginsToHold(right.memory().segment());

        right.pair().modify(QueuePairState.ERROR, given -> {});

        assertThat(right.received().next().ended(CompletionStatus.FLUSHED).id()).isEqualTo(1);
        right.raises(AsyncEvent.Type.LAST_WORK_REQUEST);
        second.left().post(batch -> batch.send());
        assertThat(second.right().received().next().succeeded().id()).isEqualTo(2);
    }

    @Test
    default void pairThatItsPeerMadeFailSaysThatItTakesNoMore(World world) {
        Connection first = sharing(world);
        Connection second = first.another();
        Side left = first.left();
        first.right().receive(1, 0, 100);

        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch ->
                        batch.write(0, ~first.right().memory().remoteKey())
                                .local(left.slice(0, 8)));

        first.right().comesTo(QueuePairState.ERROR);
        first.right().raises(AsyncEvent.Type.LAST_WORK_REQUEST);
        first.right().received().staysEmpty();
        second.left().post(batch -> batch.send());
        second.right().received().next().succeeded();
    }

    @Test
    default void messageLongerThanTheSharedRequestFailsItsPairOnly(World world) {
        Connection first = sharing(world);
        Connection second = first.another();
        Side left = first.left();
        first.right().receive(1, 0, 10);
        first.right().receive(2, 10, 100);

        left.fails(CompletionStatus.REMOTE_INVALID_REQUEST, batch -> batch.send(left.slice(0, 11)));

        Seen failed = first.right().received().next();
        assertThat(failed.id()).isEqualTo(1);
        assertThat(failed.status())
                .isIn(CompletionStatus.LOCAL_LENGTH_ERROR, CompletionStatus.REMOTE_INVALID_REQUEST);
        second.left().post(batch -> batch.send(second.left().slice(0, 50)));
        assertThat(second.right().received().next().succeeded().id()).isEqualTo(2);
    }

    @Test
    default void resetPairGivesNothingBackAndComesAgain(World world) {
        Connection connection = sharing(world);
        Side right = connection.right();
        right.receive(1, 0, 100);

        right.pair().modify(QueuePairState.RESET, given -> {});
        connection.left().pair().modify(QueuePairState.RESET, given -> {});
        connection.connect(given -> {}, given -> {});

        connection.left().post(batch -> batch.send());
        assertThat(right.received().next().succeeded().id()).isEqualTo(1);
    }

    @Test
    default void datagramsTakeSharedRequests(World world) {
        Connection first = Setup.of(world).type(QueuePairType.UD).rightShares(16).connect();
        Connection second = first.another();
        for (int i = 0; i < 4; i++) {
            Connection connection = i % 2 == 0 ? first : second;
            Side left = connection.left();
            AddressHandle way = left.wayTo(connection.right());
            first.right().receive(i, i * 100L, 100);
            left.fill(0, 20, i);
            Seen seen = DatagramConformance.arrival(connection.right(), left, way, 20);
            assertThat(seen.id()).isEqualTo(i);
            assertThat(seen.queuePair()).isEqualTo(connection.right().pair().number());
            connection.right().holds(i * 100L + DatagramHeader.LENGTH, left.bytes(0, 20));
        }
    }

    /// A queue pair that has lost the rest of a message does not keep its request from others.
    @Test
    default void messageBrokenOnTheWayEndsItsSharedRequest(World world) {
        Assumptions.assumeTrue(
                world.lacks(Feature.LOSSLESS).isPresent(), "nothing is lost in this world");
        Connection connection =
                Setup.of(world).type(QueuePairType.UC).pathMtu(256).rightShares(16).connect();
        Side left = connection.left();
        Side right = connection.right();

        boolean broken = false;
        for (int i = 0; i < 500 && !broken; i++) {
            // The first packet of a message may be lost too, and then its request is still there.
            if (right.shared().room() > 0) {
                right.receive(i, 0, 10_000);
            }
            left.post(batch -> batch.send(left.slice(0, 10_000)).signaled());
            left.sent().next().succeeded();
            world.advance(Inbox.QUIET);
            broken =
                    right.received().takeAll().stream()
                            .anyMatch(seen -> seen.status() == CompletionStatus.REMOTE_ABORTED);
        }

        assertThat(broken).as("a message was broken").isTrue();
        assertThat(right.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    default void unreliableConnectionsTakeSharedRequests(World world) {
        int count = 40;
        int length = 1500;
        Connection first =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .pathMtu(256)
                        .memoryBytes(4L * count * length)
                        .rightShares(4 * count)
                        .connect();
        List<Connection> both = List.of(first, first.another());
        Side left = first.left();
        left.fill(0, 2L * count * length, 1);
        for (int i = 0; i < 4 * count; i++) {
            first.right().receive(i, (long) i * length, length);
        }

        for (int i = 0; i < 2 * count; i++) {
            Side from = both.get(i % 2).left();
            int number = i;
            from.post(
                    batch ->
                            batch.sendImmediate(
                                    from.slice((long) number * length, length), number));
        }
        world.advance(Inbox.LOOKED_AT);

        int delivered = 0;
        for (Connection connection : both) {
            for (Seen seen : connection.right().received().takeAll()) {
                if (world.lacks(Feature.LOSSLESS).isPresent()
                        && seen.status() == CompletionStatus.REMOTE_ABORTED) {
                    continue;
                }
                seen.succeeded().of(CompletedOperation.RECEIVE, length);
                long at = (long) seen.immediate().orElseThrow() * length;
                first.right().holds(seen.id() * length, left.bytes(at, length));
                delivered++;
            }
        }
        if (world.lacks(Feature.LOSSLESS).isEmpty()) {
            assertThat(delivered).isEqualTo(2 * count);
        } else {
            assertThat(delivered).isPositive();
        }
    }

    @Test
    default void messageTooLongForItsSharedRequestEndsIt(World world) {
        world.needs(Feature.LOSSLESS);
        Connection first =
                Setup.of(world).type(QueuePairType.UC).pathMtu(256).rightShares(16).connect();
        Connection second = first.another();
        first.right().receive(1, 0, 1000);
        first.right().receive(2, 0, 1000);

        first.left().post(batch -> batch.send(first.left().slice(0, 1001)));

        Seen failed = first.right().received().next();
        assertThat(failed.id()).isEqualTo(1);
        assertThat(failed.status())
                .isIn(
                        CompletionStatus.REMOTE_ABORTED,
                        CompletionStatus.LOCAL_LENGTH_ERROR,
                        CompletionStatus.REMOTE_INVALID_REQUEST);
        assertThat(first.right().pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        second.left().post(batch -> batch.send(second.left().slice(0, 1000)));
        assertThat(second.right().received().next().succeeded().id()).isEqualTo(2);
    }

    @Test
    default void solicitedMessageIntoASharedRequestNotifies(World world) {
        Connection connection = sharing(world);
        Inbox received = connection.right().received();
        AtomicInteger calls = new AtomicInteger();
        received.queue().onNotification(calls::incrementAndGet);
        connection.right().receiveNothing(1);
        connection.right().receiveNothing(2);

        received.queue().arm(Notification.SOLICITED);
        connection.left().post(batch -> batch.send().send().solicited());

        received.takeSuccesses(2);
        world.advanceUntil(() -> calls.get() > 0, Inbox.LIMIT);
        assertThat(calls).hasValue(1);
    }

    private static Connection sharing(World world) {
        return Setup.of(world).rightShares(64).connect();
    }
}
