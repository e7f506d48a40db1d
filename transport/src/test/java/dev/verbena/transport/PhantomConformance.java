package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.Conformance;
import dev.verbena.conformance.Connection;
import dev.verbena.conformance.Seen;
import dev.verbena.conformance.Setup;
import dev.verbena.conformance.Side;
import dev.verbena.conformance.World;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.Test;

/// Memory that is a length only, where the carrier takes it: everything but the bytes is as with
/// real memory.
interface PhantomConformance extends Conformance {
    @Test
    default void phantomHasALengthAndNoMemory(World world) {
        Side side = Setup.of(world).build().left();
        MemoryRegion phantom = phantom(side, 1L << 30);

        assertThat(((TransportRegion) phantom).isPhantom()).isTrue();
        assertThat(phantom.length()).isEqualTo(1L << 30);
        assertThatExceptionOfType(UnsupportedException.class)
                .isThrownBy(phantom::segment)
                .withMessage(
                        phantom + ": a phantom region has no memory; use allocate for real bytes");
    }

    @Test
    default void allocatedMemoryIsNotPhantom(World world) {
        MemoryRegion region = Setup.of(world).build().left().domain().allocate(64);

        assertThat(((TransportRegion) region).isPhantom()).isFalse();
        assertThat(region.segment().byteSize()).isEqualTo(64);
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

        assertThatThrownBy(() -> left.pair().post(batch -> batch.send(here.slice())))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refusal -> {
                            assertThat(refusal.category())
                                    .isIn(
                                            VerbsException.Category.LIMIT,
                                            VerbsException.Category.REQUEST);
                            assertThat(refusal.object()).isNotBlank();
                            assertThat(refusal.remedy()).isNotBlank();
                        })
                .hasMessageContaining(Long.toString(most));

        left.sent().staysEmpty();
        connection.works();
    }

    /// Phantom memory with every right that it can have.
    private static MemoryRegion phantom(Side side, long bytes) {
        return TransportDevice.phantom(
                side.domain(), bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
    }
}
