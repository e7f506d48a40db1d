package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The limit of a shared receive queue, its closing, and the calls that it refuses.
public interface SharedReceiveQueueConformance extends Conformance {
    @Test
    default void limitIsToldOnceWhenTooFewAreLeft(World world) {
        Connection connection = sharing(world);
        Side right = connection.right();
        SharedReceiveQueue queue = right.shared();
        for (int i = 0; i < 6; i++) {
            right.receiveNothing(i);
        }
        queue.limit(4);
        assertThat(queue.limit()).isEqualTo(4);

        message(connection, 2);
        assertThat(limits(right)).as("four are left").isZero();
        message(connection, 1);

        right.raises(AsyncEvent.Type.SHARED_RECEIVE_LIMIT, queue.number());
        assertThat(queue.limit()).isZero();
        message(connection, 3);
        world.advance(Inbox.QUIET);
        assertThat(limits(right)).isEqualTo(1);
    }

    @Test
    default void limitCanBeArmedAgain(World world) {
        Connection connection = sharing(world);
        Side right = connection.right();
        SharedReceiveQueue queue = right.shared();
        for (int round = 1; round <= 3; round++) {
            right.receiveNothing(1);
            right.receiveNothing(2);
            queue.limit(2);
            assertThat(limits(right)).isEqualTo(round - 1L);
            message(connection, 1);
            long expected = round;
            world.advanceUntil(() -> limits(right) == expected, Inbox.LIMIT);
            assertThat(limits(right)).isEqualTo(round);
            message(connection, 1);
        }
    }

    @Test
    default void limitIsToldAtOnceWhenTooFewAreThere(World world) {
        Connection connection = sharing(world);
        Side right = connection.right();
        right.receiveNothing(1);

        right.shared().limit(2);

        right.raises(AsyncEvent.Type.SHARED_RECEIVE_LIMIT, right.shared().number());
        assertThat(right.shared().limit()).isZero();
    }

    @Test
    default void limitOfZeroDisarms(World world) {
        Connection connection = sharing(world);
        Side right = connection.right();
        right.receiveNothing(1);
        right.receiveNothing(2);
        right.shared().limit(2);

        right.shared().limit(0);
        message(connection, 2);

        world.advance(Inbox.QUIET);
        assertThat(limits(right)).isZero();
    }

    @Test
    default void limitThatMakesNoSenseIsRefused(World world) {
        SharedReceiveQueue queue = sharing(world).right().shared();

        Mistakes.refused(VerbsException.class, () -> queue.limit(-1));
        Mistakes.refused(VerbsException.class, () -> queue.limit(queue.room() + 1));
        assertThat(queue.limit()).isZero();
    }

    @Test
    default void pairThatSharesHasNoReceivesOfItsOwn(World world) {
        Connection connection = sharing(world);
        QueuePair pair = connection.right().pair();

        Mistakes.refused(
                InvalidRequestException.class, () -> pair.postReceive(batch -> batch.receive()));

        assertThat(pair.receiveRoom()).isZero();
        connection.right().receiveNothing(1);
        message(connection, 1);
    }

    @Test
    default void sharedRequestsNameMemoryOfTheirDomainOnly(World world) {
        Connection connection = sharing(world);
        SharedReceiveQueue queue = connection.right().shared();
        MemoryRegion foreign = world.device(1).protectionDomain().allocate(100, Access.LOCAL_WRITE);
        int room = queue.room();
        MemoryRegion readOnly = connection.right().domain().allocate(100);

        Mistakes.refused(
                InvalidRequestException.class,
                () -> queue.postReceive(batch -> batch.receive(foreign.slice())));
        Mistakes.refused(
                InvalidRequestException.class,
                () -> queue.postReceive(batch -> batch.receive(readOnly.slice())));
        Mistakes.refused(
                InvalidRequestException.class,
                () ->
                        queue.postReceive(
                                batch ->
                                        batch.receive().local(connection.right().memory(), 0, -1)));
        assertThat(queue.room()).isEqualTo(room);
    }

    @Test
    default void sharedQueueOfAnotherDeviceIsRefused(World world) {
        Connection connection = sharing(world);
        Side left = connection.left();

        Mistakes.refused(
                InvalidRequestException.class,
                () ->
                        left.domain()
                                .queuePair(
                                        QueuePairType.RC,
                                        options ->
                                                options.completions(left.sent().queue())
                                                        .sharedReceives(
                                                                connection.right().shared())));
    }

    @Test
    default void sharedQueuesAreNumbered(World world) {
        Side right = sharing(world).right();

        assertThat(right.domain().sharedReceiveQueue(1).number())
                .isNotEqualTo(right.shared().number());
    }

    @Test
    default void depthThatMakesNoSenseIsRefused(World world) {
        Side right = sharing(world).right();
        int most = right.device().limits().workRequests();

        Mistakes.refused(VerbsException.class, () -> right.domain().sharedReceiveQueue(0));
        Mistakes.refused(VerbsException.class, () -> right.domain().sharedReceiveQueue(-1));
        Mistakes.beyond(most, () -> right.domain().sharedReceiveQueue(most + 1));
    }

    @Test
    default void closedSharedQueueServesItsPairsOn(World world) {
        Connection connection = sharing(world);
        Connection second = connection.another();
        SharedReceiveQueue queue = connection.right().shared();
        connection.right().receive(1, 0, 100);
        connection.right().receive(2, 100, 100);
        connection.left().fill(0, 100, 1);

        queue.close();
        queue.close();

        message(connection, 1);
        connection.right().pair().close();
        Side left = second.left();
        left.post(batch -> batch.send(left.slice(0, 100)));
        assertThat(second.right().received().next().succeeded().id()).isEqualTo(2);
        second.right().holds(100, left.bytes(0, 100));
    }

    @Test
    default void closedSharedQueueRefusesToBeUsed(World world) {
        Side right = sharing(world).right();
        SharedReceiveQueue queue = right.shared();

        queue.close();

        Mistakes.refused(ClosedException.class, () -> queue.postReceive(batch -> batch.receive()));
        Mistakes.refused(ClosedException.class, () -> queue.limit(1));
        Mistakes.refused(
                ClosedException.class,
                () ->
                        right.domain()
                                .queuePair(
                                        QueuePairType.RC,
                                        options ->
                                                options.completions(right.sent().queue())
                                                        .sharedReceives(queue)));
    }

    @Test
    default void batchLeftOpenEndsWithTheSharedQueue(World world) {
        Side right = sharing(world).right();
        right.shared().receives().receive(right.slice(0, 8));

        right.shared().close();

        right.domain().close();
    }

    @Test
    default void anyOrderOfClosingASharedQueueIsForgiven(World world) {
        world.needs(Feature.SHARED_RECEIVES);
        List<List<Integer>> orders =
                List.of(
                        List.of(0, 1, 2, 3, 4),
                        List.of(4, 3, 2, 1, 0),
                        List.of(2, 4, 0, 3, 1),
                        List.of(3, 2, 1, 0, 4),
                        List.of(1, 0, 3, 4, 2));
        for (List<Integer> order : orders) {
            List<AutoCloseable> objects = objects(world);
            assertThatCode(
                            () -> {
                                for (int index : order) {
                                    objects.get(index).close();
                                    world.device(0).progress();
                                }
                            })
                    .as("order %s of domain, completions, region, shared queue, pair", order)
                    .doesNotThrowAnyException();
        }
        Connection.on(world).works();
    }

    private static List<AutoCloseable> objects(World world) {
        ProtectionDomain domain = world.device(0).protectionDomain();
        CompletionQueue completions = world.device(0).completionQueue(16);
        MemoryRegion region = domain.allocate(100, Access.LOCAL_WRITE);
        SharedReceiveQueue queue = domain.sharedReceiveQueue(4);
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.RC,
                        options -> options.completions(completions).sharedReceives(queue));
        queue.postReceive(batch -> batch.receive(region.slice()));
        return List.of(domain, completions, region, queue, pair);
    }

    private static Connection sharing(World world) {
        return Setup.of(world).rightShares(16).connect();
    }

    private static long limits(Side side) {
        return side.count(AsyncEvent.Type.SHARED_RECEIVE_LIMIT, side.shared().number());
    }

    /// Uses up so many of the shared requests.
    private static void message(Connection connection, int count) {
        for (int i = 0; i < count; i++) {
            connection.left().post(batch -> batch.send().signaled());
            connection.left().sent().next().succeeded();
            connection.right().received().next().succeeded();
        }
    }
}
