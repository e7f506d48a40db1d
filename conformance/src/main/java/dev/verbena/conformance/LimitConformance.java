package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Running into the limits of a device, where they are small enough to run into.
public interface LimitConformance extends Conformance {
    /// More objects than this are too many for a test.
    int MANY = 4096;

    @Test
    default void pairsBeyondTheLimitAreRefused(World world) {
        Side left = Setup.of(world).build().left();
        beyond(
                "queue pairs",
                left.device().limits().queuePairs(),
                () ->
                        left.domain()
                                .queuePair(
                                        QueuePairType.RC,
                                        options -> options.completions(left.sent().queue())));
    }

    @Test
    default void completionQueuesBeyondTheLimitAreRefused(World world) {
        Device device = world.device(0);
        beyond(
                "completion queues",
                device.limits().completionQueues(),
                () -> device.completionQueue(1));
    }

    @Test
    default void regionsBeyondTheLimitAreRefused(World world) {
        Side left = Setup.of(world).build().left();
        beyond(
                "memory regions",
                left.device().limits().memoryRegions(),
                () -> left.domain().allocate(8));
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    default void windowsBeyondTheLimitAreRefused(WindowType type, World world) {
        world.needs(type);
        Side left = Setup.of(world).build().left();
        beyond(
                "memory windows",
                left.device().limits().memoryWindows(),
                () -> left.domain().window(type));
    }

    @Test
    default void sharedQueuesBeyondTheLimitAreRefused(World world) {
        world.needs(Feature.SHARED_RECEIVES);
        Side left = Setup.of(world).build().left();
        beyond(
                "shared receive queues",
                left.device().limits().sharedReceiveQueues(),
                () -> left.domain().sharedReceiveQueue(1));
    }

    @Test
    default void handlesBeyondTheLimitAreRefused(World world) {
        world.needs(Feature.DATAGRAM);
        Connection connection = Setup.of(world).build();
        Side left = connection.left();
        beyond(
                "address handles",
                left.device().limits().addressHandles(),
                () -> left.wayTo(connection.right()));
    }

    /// Requests in a shared queue count like those in a queue pair's own queue.
    @Test
    default void fullDeviceTakesNoMoreSharedRequests(World world) {
        world.needs(Feature.SHARED_RECEIVES);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int most = left.device().limits().workRequestsInAll();
        int depth = Math.min(512, left.device().limits().workRequests());
        feasible("work requests in all", most);
        List<SharedReceiveQueue> queues = new ArrayList<>();
        int posted = 0;
        boolean fits = true;
        while (fits && queues.size() < left.device().limits().sharedReceiveQueues()) {
            SharedReceiveQueue queue = left.domain().sharedReceiveQueue(depth);
            queues.add(queue);
            for (int i = queue.room(); i > 0 && fits; i--) {
                fits = queue.postReceive(batch -> batch.receive(left.slice(0, 8)));
                posted += fits ? 1 : 0;
            }
        }

        assertThat(posted).isEqualTo(most);
        queues.forEach(SharedReceiveQueue::close);
        connection.works();
    }

    /// Each queue guarantees its own depth; together they may hold less.
    @Test
    default void fullDeviceTakesNoMoreWork(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int most = left.device().limits().workRequestsInAll();
        feasible("work requests in all", most);
        List<QueuePair> pairs = new ArrayList<>();
        int posted = 0;
        boolean fits = true;
        while (fits) {
            QueuePair pair =
                    left.domain()
                            .queuePair(
                                    QueuePairType.RC,
                                    options -> options.completions(left.sent().queue()));
            pairs.add(pair);
            int room = pair.receiveRoom();
            for (int i = 0; i < room && fits; i++) {
                fits = pair.postReceive(batch -> batch.receive(left.slice(0, 8)));
                posted += fits ? 1 : 0;
            }
            assertThat(posted).isLessThanOrEqualTo(most);
        }

        assertThat(posted).isEqualTo(most);
        pairs.forEach(QueuePair::close);
        connection.works();
    }

    @Test
    default void oldestEventsAreDroppedWhenTooManyWait(World world) {
        Side left = Setup.of(world).build().left();
        int most = left.device().limits().pendingEvents();
        feasible("pending events", most);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < most + 3; i++) {
            Connection connection = Setup.of(world).memoryBytes(8).connect();
            QueuePair pair = connection.left().pair();
            pair.modify(QueuePairState.SEND_QUEUE_DRAINED, given -> given.drainNotify(true));
            world.advance(Inbox.QUIET);
            numbers.add(pair.number());
        }

        List<Integer> subjects = new ArrayList<>();
        AsyncEvent event = left.device().pollEvent();
        while (event != null) {
            subjects.add(event.subject());
            event = left.device().pollEvent();
        }

        assertThat(subjects).containsExactlyElementsOf(numbers.subList(3, most + 3));
    }

    /// Makes objects up to the limit, sees the next refused, and that closing one makes room.
    private static void beyond(String what, int limit, Callable<? extends AutoCloseable> maker) {
        feasible(what, limit);
        List<AutoCloseable> made = new ArrayList<>();
        LimitExceededException refusal =
                Mistakes.refused(
                        LimitExceededException.class,
                        () -> {
                            for (int i = 0; i <= limit; i++) {
                                made.add(maker.call());
                            }
                        });
        assertThat(refusal).hasMessageContaining(Integer.toString(limit));
        assertThat(made).hasSizeLessThanOrEqualTo(limit);
        try {
            made.getLast().close();
            assertThat(maker.call()).isNotNull();
        } catch (Exception failure) {
            throw new AssertionError("closing one makes room for another", failure);
        }
        Mistakes.refused(LimitExceededException.class, maker::call);
    }

    private static void feasible(String what, int limit) {
        Assumptions.assumeTrue(
                limit <= MANY, "the device holds " + limit + " " + what + ", too many to try");
    }
}
