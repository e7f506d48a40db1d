package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.UnsupportedException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Memory that is a length only: everything but the bytes is as with real memory.
public interface PhantomConformance extends Conformance {
    @Test
    default void phantomHasALengthAndNoMemory(World world) {
        MemoryRegion phantom = phantom(Setup.of(world).build().left(), 1L << 30);

        assertThat(phantom.isPhantom()).isTrue();
        assertThat(phantom.length()).isEqualTo(1L << 30);
        Mistakes.refused(UnsupportedException.class, phantom::segment);
    }

    @Test
    default void phantomIsRefusedWhereItCannotBe(World world) {
        Assumptions.assumeTrue(
                world.lacks(Feature.PHANTOM_MEMORY).isPresent(), "this world has phantom memory");

        Mistakes.refused(
                UnsupportedException.class, () -> world.device(0).protectionDomain().phantom(64));
    }

    @Test
    default void phantomMessagesHaveTheirLength(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion from = phantom(left, 1 << 20);
        MemoryRegion into = phantom(connection.right(), 1 << 20);
        for (int length : new int[] {0, 1, 4096, 4097, 1 << 20}) {
            connection.right().receive(length, into.slice());

            left.post(batch -> batch.sendImmediate(length).local(from.slice(0, length)).signaled());

            left.sent().next().succeeded();
            Seen received = connection.right().received().next().succeeded();
            received.of(CompletedOperation.RECEIVE, length);
            assertThat(received.immediate()).hasValue(length);
        }
    }

    @Test
    default void phantomIsWrittenAndRead(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int length = (16 << 20) + 1;
        MemoryRegion here = phantom(left, length);
        MemoryRegion there = phantom(connection.right(), length);

        left.post(
                batch ->
                        batch.write(here.slice(), there.remote())
                                .signaled()
                                .read(here.slice(), there.remote())
                                .signaled());

        left.sent().next().succeeded().of(CompletedOperation.WRITE, length);
        left.sent().next().succeeded().of(CompletedOperation.READ, length);
    }

    @Test
    default void phantomIsProtectedLikeMemory(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion here = phantom(left, 4096);
        MemoryRegion there = phantom(connection.right(), 4096);

        left.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch -> batch.write(there.address() + 1, there.remoteKey()).local(here.slice()));
    }

    @Test
    default void messageLongerThanTheLimitIsRefused(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        long most = left.device().limits().messageBytes();
        MemoryRegion here = phantom(left, most + 1);

        Mistakes.beyond(most, () -> left.pair().post(batch -> batch.send(here.slice())));

        left.sent().staysEmpty();
        connection.works();
    }

    /// Phantom memory with every right; skips the test where there is none.
    private static MemoryRegion phantom(Side side, long bytes) {
        side.world().needs(Feature.PHANTOM_MEMORY);
        return side.domain()
                .phantom(bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
    }
}
