package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Which requests complete, in which order, and how a program takes the completions.
public interface CompletionConformance extends Conformance {
    @Test
    default void completionsComeInTheOrderOfThePosts(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        int rounds = 12;
        for (int i = 0; i < rounds; i++) {
            right.receive(i, 32_768, 2000);
        }

        // Of very different cost, so that anything that could overtake would.
        for (int i = 0; i < rounds; i++) {
            long id = 4L * i;
            left.post(
                    batch ->
                            batch.read(left.slice(0, 9000), right.remote(0, 9000))
                                    .id(id)
                                    .signaled()
                                    .write(left.slice(0, 1), right.remote(0, 1))
                                    .id(id + 1)
                                    .signaled()
                                    .send(left.slice(0, 2000))
                                    .id(id + 2)
                                    .signaled()
                                    .fetchAndAdd(
                                            right.memory().address(), right.memory().remoteKey(), 1)
                                    .local(left.slice(16_384, 8))
                                    .id(id + 3)
                                    .signaled());
        }

        assertThat(left.sent().takeSuccesses(4 * rounds))
                .extracting(Seen::id)
                .containsExactlyElementsOf(upTo(4L * rounds));
        assertThat(right.received().takeSuccesses(rounds))
                .extracting(Seen::id)
                .containsExactlyElementsOf(upTo(rounds));
    }

    @Test
    default void unsignaledSuccessIsSilent(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();

        left.post(
                batch -> {
                    for (int i = 0; i < 5; i++) {
                        batch.write(left.slice(0, 8), right.remote(0, 8)).id(i);
                    }
                    batch.write(left.slice(0, 8), right.remote(0, 8)).id(99).signaled();
                });

        assertThat(left.sent().next().succeeded().id()).isEqualTo(99);
        left.sent().staysEmpty();
    }

    @Test
    default void anInterruptEndsAWaitAndStays(World world) {
        CompletionQueue queue = Connection.on(world).left().sent().queue();
        long startNs = world.nowNs();
        Duration hour = Duration.ofHours(1);
        Thread.currentThread().interrupt();
        try {
            assertThat(queue.await(hour, _ -> {})).isZero();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(world.nowNs() - startNs).isLessThan(hour.toNanos());
    }

    @Test
    default void signalAllCompletesEverything(World world) {
        Connection connection =
                Setup.of(world).leftOptions(options -> options.signalAll()).connect();
        Side left = connection.left();
        Side right = connection.right();

        left.post(
                batch -> {
                    for (int i = 0; i < 5; i++) {
                        batch.write(left.slice(0, 8), right.remote(0, 8)).id(i);
                    }
                });

        assertThat(left.sent().takeSuccesses(5))
                .extracting(Seen::id)
                .containsExactlyElementsOf(upTo(5));
    }

    @Test
    default void unsignaledFailureCompletes(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        connection.works();

        left.post(
                batch ->
                        batch.write(right.memory().address(), ~right.memory().remoteKey())
                                .local(left.slice(0, 8))
                                .id(2));

        Seen failed = left.sent().next();
        left.wasRefused(failed, CompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(failed.id()).isEqualTo(2);
        assertThat(failed.queuePair()).isEqualTo(left.pair().number());
        left.sent().staysEmpty();
    }

    @Test
    default void idIsWhateverThePosterSaid(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        long[] ids = {Long.MIN_VALUE, -1, Long.MAX_VALUE, 1L << 32};
        for (long id : ids) {
            right.receiveNothing(id);
            left.post(batch -> batch.send().id(id).signaled());
            assertThat(left.sent().next().succeeded().id()).isEqualTo(id);
            assertThat(right.received().next().succeeded().id()).isEqualTo(id);
        }
        assertThat(right.pair().postReceive(batch -> batch.receive())).isTrue();
        left.post(batch -> batch.send().signaled());
        assertThat(left.sent().next().succeeded().id()).as("unless set").isEqualTo(0);
        assertThat(right.received().next().succeeded().id()).as("unless set").isEqualTo(0);
    }

    @Test
    default void oneQueueServesBothDirectionsOfManyPairs(World world) {
        Connection first = Connection.on(world);
        Inbox all = first.left().sent();
        Side left = first.left();
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Connection more =
                    new Connection(
                            world,
                            left.another(options -> options.completions(all.queue())),
                            first.right().another());
            more.connect(attributes -> {}, attributes -> {});
            connections.add(more);
        }

        for (Connection connection : connections) {
            connection.right().receiveNothing(1);
            connection.left().receiveNothing(2);
            connection.left().post(batch -> batch.send().id(3).signaled());
            connection.right().post(batch -> batch.send().id(4).signaled());
        }

        List<Seen> seen = all.takeSuccesses(6);
        for (Connection connection : connections) {
            int number = connection.left().pair().number();
            assertThat(seen)
                    .filteredOn(one -> one.queuePair() == number)
                    .extracting(Seen::operation)
                    .containsExactlyInAnyOrder(CompletedOperation.SEND, CompletedOperation.RECEIVE);
        }
    }

    @Test
    default void pollHandsOverNoMoreThanAsked(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        CompletionQueue queue = left.sent().queue();
        List<Long> ids = new ArrayList<>();
        left.post(
                batch -> {
                    for (int i = 0; i < 7; i++) {
                        batch.write(0, 0).id(i).signaled();
                    }
                });
        // Where nothing is lost all are there now, and asking for few is a real limit.
        world.advance(Inbox.QUIET);

        assertThat(queue.poll(0, completion -> ids.add(completion.id()))).isZero();
        world.advanceUntil(
                () -> {
                    int count = 1;
                    while (count > 0) {
                        int before = ids.size();
                        count = queue.poll(2, completion -> ids.add(completion.id()));
                        assertThat(count).isEqualTo(ids.size() - before).isLessThanOrEqualTo(2);
                    }
                    return ids.size() >= 7;
                },
                Inbox.LIMIT);

        assertThat(queue.poll()).isNull();
        assertThat(ids).containsExactlyElementsOf(upTo(7));
    }

    @Test
    default void awaitHandsOverWhatComes(World world) {
        world.needs(Feature.AWAIT_MOVES_PEERS);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        List<Seen> seen = new ArrayList<>();

        left.post(batch -> batch.write(0, 0).id(6).signaled());
        int count = left.sent().queue().await(Inbox.LIMIT, one -> seen.add(Seen.of(one)));

        assertThat(count).isEqualTo(1);
        assertThat(seen.getFirst().succeeded().id()).isEqualTo(6);
    }

    @Test
    default void awaitGivesUpWhenTheTimeIsOver(World world) {
        Connection connection = Connection.on(world);
        Duration patience = Duration.ofMillis(5);
        long before = world.nowNs();

        int count = connection.left().sent().queue().await(patience, completion -> {});

        assertThat(count).isZero();
        assertThat(world.nowNs() - before).isGreaterThanOrEqualTo(patience.toNanos());
    }

    @Test
    default void overrunOfTheQueueFailsItsPairs(World world) {
        Connection ordinary = Connection.on(world);
        CompletionQueue small = ordinary.left().device().completionQueue(4);
        assumeFits(small.capacity(), ordinary);
        // Each of them fits; both together do not.
        Connection one = completingTo(world, small);
        Connection other = completingTo(world, small);
        List<AsyncEvent> events = new ArrayList<>();

        for (int i = 0; i < small.capacity(); i++) {
            one.left().post(batch -> batch.write(0, 0).signaled());
            other.left().post(batch -> batch.write(0, 0).signaled());
        }

        world.advanceUntil(() -> lost(one.left(), events), Inbox.LIMIT);
        assertThat(events)
                .extracting(AsyncEvent::type)
                .contains(AsyncEvent.Type.COMPLETION_QUEUE_ERROR);
        one.left().comesTo(QueuePairState.ERROR);
        other.left().comesTo(QueuePairState.ERROR);
        ordinary.works();
    }

    @Test
    default void aQueueSmallerThanTheQueuesItServesIsRefused(World world) {
        Connection connection = Connection.on(world);
        ProtectionDomain domain = connection.left().domain();
        CompletionQueue small = connection.left().device().completionQueue(4);
        int tooMany = small.capacity() + 1;
        assumeFits(tooMany, connection);

        for (Consumer<QueuePairOptions> depth :
                List.<Consumer<QueuePairOptions>>of(
                        it -> it.sendDepth(tooMany), it -> it.receiveDepth(tooMany))) {
            assertThatThrownBy(
                            () ->
                                    domain.queuePair(
                                            QueuePairType.RC,
                                            it -> depth.accept(it.completions(small))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining(String.valueOf(tooMany))
                    .hasMessageContaining("make the completion queue larger");
        }
        domain.queuePair(QueuePairType.RC, it -> it.completions(small)).close();
        connection.works();
    }

    private static void assumeFits(int depth, Connection connection) {
        Assumptions.assumeTrue(
                depth <= connection.left().device().limits().workRequests(),
                "the smallest completion queue holds more than any work queue: " + depth);
    }

    private static Connection completingTo(World world, CompletionQueue queue) {
        return Setup.of(world)
                .leftOptions(it -> it.sendCompletions(queue).sendDepth(queue.capacity()))
                .connect();
    }

    private static boolean lost(Side side, List<AsyncEvent> events) {
        AsyncEvent event = side.device().pollEvent();
        while (event != null) {
            events.add(event);
            event = side.device().pollEvent();
        }
        return events.stream()
                .anyMatch(one -> one.type() == AsyncEvent.Type.COMPLETION_QUEUE_ERROR);
    }

    private static List<Long> upTo(long count) {
        return LongStream.range(0, count).boxed().toList();
    }
}
