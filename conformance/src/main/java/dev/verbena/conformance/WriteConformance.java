package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;

/// WRITE: bytes appear in the peer's memory, and its program gets a completion only with immediate
/// data.
public interface WriteConformance extends Conformance {
    @Test
    default void writeFillsTheRangeAndNothingElse(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 5000, 1);

        left.post(
                batch ->
                        batch.write(left.slice(0, 5000), right.remote(777, 5000)).id(3).signaled());

        Seen written = left.sent().next().succeeded().of(CompletedOperation.WRITE, 5000);
        assertThat(written.id()).isEqualTo(3);
        right.isUntouched(0, 777);
        right.holds(777, left.bytes(0, 5000));
        right.isUntouched(5777, 1000);
    }

    @Test
    default void writeUsesNoReceive(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.receive(1, 0, 100);

        left.post(batch -> batch.write(left.slice(0, 64), right.remote(1000, 64)).signaled());

        left.sent().next().succeeded();
        right.received().staysEmpty();
        left.post(batch -> batch.send(left.slice(0, 5)));
        assertThat(right.received().next().succeeded().byteLength()).isEqualTo(5);
    }

    @Test
    default void writeWithImmediateTellsThePeerHowMuchCame(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 10_000, 1);
        right.receive(31, 0, 100);

        left.post(
                batch ->
                        batch.writeImmediate(left.slice(0, 10_000), right.remote(2000, 10_000), -2)
                                .signaled());

        left.sent().next().succeeded().of(CompletedOperation.WRITE, 10_000);
        Seen told = right.received().next().succeeded();
        told.of(CompletedOperation.RECEIVE_WRITE_IMMEDIATE, 10_000);
        assertThat(told.id()).isEqualTo(31);
        assertThat(told.immediate()).hasValue(-2);
        right.holds(2000, left.bytes(0, 10_000));
        // The receive is used up as a token; its memory has nothing to do with the WRITE.
        right.isUntouched(0, 2000);
    }

    @Test
    default void writeWithImmediateOfNothingUsesAReceive(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        right.receiveNothing(1);

        left.post(
                batch -> batch.writeImmediate(left.slice(0, 0), right.remote(0, 0), 77).signaled());

        left.sent().next().succeeded();
        Seen told = right.received().next().succeeded();
        told.of(CompletedOperation.RECEIVE_WRITE_IMMEDIATE, 0);
        assertThat(told.immediate()).hasValue(77);
    }

    /// Where nothing is touched there is nothing to protect (IBA 9.7.4.1.5), so no key is looked
    /// at.
    @Test
    default void writeOfNothingNeedsNoKey(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int noKey = ~connection.right().memory().remoteKey();

        left.post(batch -> batch.write(12_345, noKey).signaled());

        left.sent().next().succeeded().of(CompletedOperation.WRITE, 0);
    }

    /// A program may wait for a flag in memory instead of a completion: an aligned word arrives
    /// whole, and after the bytes that were written before it.
    @Test
    default void writtenWordCanBePolledInMemory(World world) {
        world.needs(Feature.BYTES_IN_ORDER);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        VarHandle word = ValueLayout.JAVA_LONG.varHandle();
        left.fill(0, 8192, 9);
        left.memory().segment().set(ValueLayout.JAVA_LONG, 8192, 0x0102_0304_0506_0708L);

        left.post(
                batch ->
                        batch.write(left.slice(0, 8192), right.remote(0, 8192))
                                .write(left.slice(8192, 8), right.remote(16_384, 8)));

        boolean appeared =
                world.advanceUntil(
                        () -> (long) word.getAcquire(right.memory().segment(), 16_384L) != 0,
                        Inbox.LIMIT);
        assertThat(appeared).as("the word appeared").isTrue();
        assertThat((long) word.getAcquire(right.memory().segment(), 16_384L))
                .isEqualTo(0x0102_0304_0506_0708L);
        right.holds(0, left.bytes(0, 8192));
    }

    @Test
    default void writeOfOneSideDoesNotDisturbTheOther(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 20_000, 1);
        right.fill(0, 20_000, 2);

        left.post(
                batch ->
                        batch.write(left.slice(0, 20_000), right.remote(30_000, 20_000))
                                .signaled());
        right.post(
                batch ->
                        batch.write(right.slice(0, 20_000), left.remote(30_000, 20_000))
                                .signaled());

        left.sent().next().ended(CompletionStatus.SUCCESS);
        right.sent().next().ended(CompletionStatus.SUCCESS);
        right.holds(30_000, left.bytes(0, 20_000));
        left.holds(30_000, right.bytes(0, 20_000));
    }
}
