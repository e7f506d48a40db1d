package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// The guarantees that follow from the order of posting.
public interface OrderingConformance extends Conformance {
    /// The oldest pattern of all: write the data, then send a message that says so.
    @Test
    default void bytesWrittenBeforeAMessageAreThereWithIt(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 60_000, 1);
        int rounds = 20;
        for (int i = 0; i < rounds; i++) {
            right.receiveNothing(i);
            long at = i * 3000L;
            left.post(batch -> batch.write(left.slice(at, 3000), right.remote(at, 3000)).send());
        }

        for (int i = 0; i < rounds; i++) {
            assertThat(right.received().next().succeeded().id()).isEqualTo(i);
            right.holds(i * 3000L, left.bytes(i * 3000L, 3000));
        }
    }

    @Test
    default void fencedSendCarriesWhatWasRead(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, 20_000, 1);
        right.receive(1, 40_000, 20_000);

        left.post(
                batch ->
                        batch.read(left.slice(0, 20_000), right.remote(0, 20_000))
                                .send(left.slice(0, 20_000))
                                .fence());

        right.received().next().succeeded();
        right.holds(40_000, right.bytes(0, 20_000));
    }

    @Test
    default void fencedWriteCarriesWhatAnAtomicFound(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.memory().segment().set(ValueLayout.JAVA_LONG, 0, 4711);

        left.post(
                batch ->
                        batch.fetchAndAdd(right.memory().address(), right.memory().remoteKey(), 1)
                                .local(left.slice(0, 8))
                                .write(left.slice(0, 8), right.remote(64, 8))
                                .fence()
                                .signaled());

        left.sent().next().succeeded();
        assertThat(right.memory().segment().get(ValueLayout.JAVA_LONG, 64)).isEqualTo(4711);
    }

    @Test
    default void readDoesNotSeeAFencedWriteAfterIt(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, 20_000, 1);
        byte[] before = right.bytes(0, 20_000);

        left.post(
                batch ->
                        batch.read(left.slice(0, 20_000), right.remote(0, 20_000))
                                .write(left.slice(30_000, 20_000), right.remote(0, 20_000))
                                .fence()
                                .signaled());

        left.sent().next().succeeded();
        left.holds(0, before);
        right.isUntouched(0, 20_000);
    }

    @Test
    default void readSeesTheWriteBeforeIt(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 20_000, 1);

        left.post(
                batch ->
                        batch.write(left.slice(0, 20_000), right.remote(0, 20_000))
                                .read(left.slice(30_000, 20_000), right.remote(0, 20_000))
                                .signaled());

        left.sent().next().succeeded();
        left.holds(30_000, left.bytes(0, 20_000));
    }

    @Test
    default void atomicSeesTheWriteBeforeIt(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.memory().segment().set(ValueLayout.JAVA_LONG, 0, 41);

        left.post(
                batch ->
                        batch.write(left.slice(0, 8), right.remote(0, 8))
                                .fetchAndAdd(
                                        right.memory().address(), right.memory().remoteKey(), 1)
                                .local(left.slice(8, 8))
                                .signaled());

        left.sent().next().succeeded();
        assertThat(left.memory().segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(41);
        assertThat(right.memory().segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    }

    @Test
    default void laterWritesOverwriteEarlierOnes(World world) {
        world.needs(Feature.BYTES_IN_ORDER);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        int rounds = 16;
        left.fill(0, rounds * 4000L, 1);

        left.post(
                batch -> {
                    for (int i = 0; i < rounds; i++) {
                        batch.write(left.slice(i * 4000L, 4000), right.remote(0, 4000));
                    }
                    batch.signaled();
                });

        left.sent().next().succeeded();
        right.holds(0, left.bytes((rounds - 1) * 4000L, 4000));
    }
}
