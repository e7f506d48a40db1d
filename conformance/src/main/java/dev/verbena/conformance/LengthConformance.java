package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of every awkward length at every path MTU: cut into packets and put together again.
public interface LengthConformance extends Conformance {
    /// Enough for the longest message, and a page behind it that must stay as it is.
    int MEMORY = (1 << 20) + 4096;

    /// Where a large message starts; not at a page, nor at a word.
    int ODD = 13;

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    default void sendsOfAllLengthsArrive(int mtu, World world) {
        Connection connection = Setup.of(world).pathMtu(mtu).memoryBytes(MEMORY).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, MEMORY, mtu);
        for (int length : lengths(mtu)) {
            right.memory().segment().fill((byte) 0);
            right.receive(length, ODD, length);

            left.post(batch -> batch.send(left.slice(1, length)).id(length).signaled());

            left.sent().next().succeeded();
            right.received().next().succeeded().of(CompletedOperation.RECEIVE, length);
            arrived(left, 1, right, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    default void writesOfAllLengthsArrive(int mtu, World world) {
        Connection connection = Setup.of(world).pathMtu(mtu).memoryBytes(MEMORY).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, MEMORY, mtu);
        for (int length : lengths(mtu)) {
            right.memory().segment().fill((byte) 0);

            left.post(
                    batch ->
                            batch.write(left.slice(3, length), right.remote(ODD, length))
                                    .signaled());

            left.sent().next().succeeded().of(CompletedOperation.WRITE, length);
            arrived(left, 3, right, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    default void writesWithImmediateOfAllLengthsArrive(int mtu, World world) {
        Connection connection = Setup.of(world).pathMtu(mtu).memoryBytes(MEMORY).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, MEMORY, mtu);
        for (int length : lengths(mtu)) {
            right.memory().segment().fill((byte) 0);
            right.receiveNothing(length);

            left.post(
                    batch ->
                            batch.writeImmediate(
                                    left.slice(0, length), right.remote(ODD, length), length));

            Seen told = right.received().next().succeeded();
            told.of(CompletedOperation.RECEIVE_WRITE_IMMEDIATE, length);
            assertThat(told.immediate()).hasValue(length);
            arrived(left, 0, right, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    default void readsOfAllLengthsArrive(int mtu, World world) {
        Connection connection = Setup.of(world).pathMtu(mtu).memoryBytes(MEMORY).connect();
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, MEMORY, mtu);
        for (int length : lengths(mtu)) {
            left.memory().segment().fill((byte) 0);

            left.post(
                    batch ->
                            batch.read(left.slice(ODD, length), right.remote(7, length))
                                    .signaled());

            left.sent().next().succeeded().of(CompletedOperation.READ, length);
            arrived(right, 7, left, length);
        }
    }

    private static int[] lengths(int mtu) {
        return new int[] {0, 1, mtu - 1, mtu, mtu + 1, 2 * mtu, 3 * mtu + 5, 1 << 20};
    }

    /// The message is at [#ODD], and the bytes before and after it are as they were.
    private static void arrived(Side from, long offset, Side to, int length) {
        to.isUntouched(0, ODD);
        to.holds(ODD, from.bytes(offset, length));
        to.isUntouched(ODD + (long) length, 1024);
    }
}
