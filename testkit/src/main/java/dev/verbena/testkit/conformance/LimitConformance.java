package dev.verbena.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

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

    /// Queues promise what they hold one by one; together they may hold less.
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
