package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Closing: in any order, at any time, and for good.
public interface ClosingConformance extends Conformance {
    @Test
    default void anyOrderOfClosingIsForgiven(World world) {
        Connection witness = Connection.on(world);
        for (List<Integer> order : permutations(4)) {
            List<AutoCloseable> objects = objects(world.device(0));
            assertThatCode(
                            () -> {
                                for (int index : order) {
                                    objects.get(index).close();
                                    world.device(0).progress();
                                }
                            })
                    .as("order %s of domain, queue, region, pair", order)
                    .doesNotThrowAnyException();
        }
        witness.works();
    }

    @Test
    default void closingTwiceIsForgiven(World world) {
        Connection connection = Connection.on(world);
        List<AutoCloseable> objects = objects(connection.left().device());

        assertThatCode(
                        () -> {
                            for (AutoCloseable object : objects) {
                                object.close();
                                object.close();
                            }
                        })
                .doesNotThrowAnyException();

        connection.works();
    }

    @Test
    default void closedParentsLiveOnForTheirPairs(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.receive(1, 0, 100);
        left.fill(0, 100, 1);
        left.post(batch -> batch.send(left.slice(0, 100)).signaled());

        left.domain().close();
        right.domain().close();
        right.received().queue().close();

        left.sent().next().succeeded();
        left.post(batch -> batch.write(left.slice(0, 100), right.remote(200, 100)).signaled());
        left.sent().next().succeeded();
        right.holds(0, left.bytes(0, 100));
        right.holds(200, left.bytes(0, 100));
    }

    @Test
    default void closedObjectsRefuseToBeUsed(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Device device = left.device();
        ProtectionDomain domain = device.protectionDomain();
        MemoryRegion region = left.domain().allocate(100, Access.LOCAL_WRITE);
        CompletionQueue queue = device.completionQueue(4);
        QueuePair pair = connection.another().left().pair();
        domain.close();
        region.close();
        queue.close();
        pair.close();

        Mistakes.refused(ClosedException.class, () -> domain.allocate(100));
        Mistakes.refused(
                ClosedException.class,
                () ->
                        domain.queuePair(
                                QueuePairType.RC,
                                options -> options.completions(left.sent().queue())));
        Mistakes.refused(ClosedException.class, () -> region.renew());
        Mistakes.refused(
                ClosedException.class,
                () -> left.pair().post(batch -> batch.send().local(region, 0, 8)));
        Mistakes.refused(
                ClosedException.class,
                () -> left.pair().postReceive(batch -> batch.receive().local(region, 0, 8)));
        Mistakes.refused(ClosedException.class, () -> queue.poll());
        Mistakes.refused(ClosedException.class, () -> queue.arm(Notification.ANY));
        Mistakes.refused(ClosedException.class, () -> pair.post(batch -> batch.send()));
        Mistakes.refused(ClosedException.class, () -> pair.postReceive(batch -> batch.receive()));
        Mistakes.refused(
                ClosedException.class, () -> pair.modify(QueuePairState.RESET, given -> {}));
        connection.works();
    }

    @Test
    default void closedQueueTakesNoMorePairs(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        CompletionQueue queue = left.device().completionQueue(4);

        queue.close();

        Mistakes.refused(
                ClosedException.class,
                () ->
                        left.domain()
                                .queuePair(
                                        QueuePairType.RC, options -> options.completions(queue)));
        connection.works();
    }

    @Test
    default void closedPairCompletesNothing(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        left.receive(1, 0, 100);
        left.post(batch -> batch.send(left.slice(0, 100)).signaled());

        left.pair().close();

        left.sent().staysEmpty();
        left.received().staysEmpty();
    }

    @Test
    default void closingTheDeviceClosesAllOfIt(World world) {
        Connection connection = Setup.of(world).impatient().connect();
        Side left = connection.left();
        Side right = connection.right();
        Device device = left.device();
        left.receive(1, 0, 100);
        left.post(batch -> batch.write(left.slice(0, 20_000), right.remote(0, 20_000)).signaled());

        device.close();

        Mistakes.refused(ClosedException.class, () -> device.protectionDomain());
        Mistakes.refused(ClosedException.class, () -> device.completionQueue(4));
        Mistakes.refused(ClosedException.class, () -> left.domain().allocate(100));
        Mistakes.refused(ClosedException.class, () -> left.pair().post(batch -> batch.send()));
        Mistakes.refused(ClosedException.class, () -> left.sent().queue().poll());
        assertThatCode(
                        () -> {
                            left.pair().close();
                            left.memory().close();
                            left.sent().queue().close();
                            left.received().queue().close();
                            left.domain().close();
                            device.close();
                        })
                .doesNotThrowAnyException();
        world.advance(Inbox.QUIET);
        assertThat(right.device().protectionDomain().allocate(8).length()).isEqualTo(8);
    }

    @Test
    default void closedPairsMakeRoomForOthers(World world) {
        Connection witness = Connection.on(world);
        for (int i = 0; i < 200; i++) {
            for (AutoCloseable object : objects(world.device(0)).reversed()) {
                assertThatCode(object::close).doesNotThrowAnyException();
            }
        }
        witness.works();
    }

    /// A domain, a queue, a region and a pair with a posted receive, all depending on each other.
    private static List<AutoCloseable> objects(Device device) {
        ProtectionDomain domain = device.protectionDomain();
        CompletionQueue queue = device.completionQueue(16);
        MemoryRegion region = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        QueuePair pair = domain.queuePair(QueuePairType.RC, options -> options.completions(queue));
        assertThat(pair.postReceive(batch -> batch.receive(region.slice()))).isTrue();
        return List.of(domain, queue, region, pair);
    }

    private static List<List<Integer>> permutations(int count) {
        List<List<Integer>> all = List.of(List.of());
        for (int next = 0; next < count; next++) {
            List<List<Integer>> longer = new ArrayList<>();
            for (List<Integer> shorter : all) {
                for (int at = 0; at <= shorter.size(); at++) {
                    List<Integer> one = new ArrayList<>(shorter);
                    one.add(at, next);
                    longer.add(one);
                }
            }
            all = longer;
        }
        return all;
    }
}
