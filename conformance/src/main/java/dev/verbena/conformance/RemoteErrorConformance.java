package dev.verbena.conformance;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.SendBatch;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Accesses that the peer must refuse: each ends in a status here, and changes nothing there.
public interface RemoteErrorConformance extends Conformance {
    @Test
    default void unknownKeyOpensNothing(World world) {
        Connection first = Connection.on(world);
        Side left = first.left();
        long address = first.right().memory().address();
        int noKey = ~first.right().memory().remoteKey();

        denied(first, batch -> batch.write(address, noKey).local(left.slice(0, 8)));
        denied(first.another(), batch -> batch.read(address, noKey).local(left.slice(0, 8)));
        denied(
                first.another(),
                batch -> batch.compareAndSwap(address, noKey, 0, 1).local(left.slice(0, 8)));
        denied(
                first.another(),
                batch -> batch.fetchAndAdd(address, noKey, 1).local(left.slice(0, 8)));
    }

    @Test
    default void keyOfAClosedRegionOpensNothing(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion region = connection.right().domain().allocate(64, Access.REMOTE_WRITE);
        long address = region.address();
        int key = region.remoteKey();
        left.post(batch -> batch.write(address, key).local(left.slice(0, 8)).signaled());
        left.sent().next().succeeded();

        region.close();

        denied(connection, batch -> batch.write(address, key).local(left.slice(0, 8)));
    }

    @Test
    default void keyOfAnotherDomainOpensNothing(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion foreign =
                connection
                        .right()
                        .device()
                        .protectionDomain()
                        .allocate(64, Access.REMOTE_WRITE, Access.REMOTE_READ);

        denied(
                connection,
                batch ->
                        batch.write(foreign.remote().address(), foreign.remoteKey())
                                .local(left.slice(0, 8)));
        denied(
                connection.another(),
                batch ->
                        batch.read(foreign.remote().address(), foreign.remoteKey())
                                .local(left.slice(0, 8)));
    }

    @Test
    default void rangeMayNotLeaveTheRegion(World world) {
        Connection first = Connection.on(world);
        Side left = first.left();
        MemoryRegion memory = first.right().memory();
        long start = memory.address();
        long end = start + memory.length();
        int key = memory.remoteKey();

        denied(first, batch -> batch.write(end - 99, key).local(left.slice(0, 100)));
        denied(first.another(), batch -> batch.write(start - 1, key).local(left.slice(0, 100)));
        denied(first.another(), batch -> batch.read(end - 99, key).local(left.slice(0, 100)));
        denied(first.another(), batch -> batch.read(start - 1, key).local(left.slice(0, 100)));
        denied(first.another(), batch -> batch.write(end, key).local(left.slice(0, 1)));
        denied(first.another(), batch -> batch.fetchAndAdd(end, key, 1).local(left.slice(0, 8)));
    }

    @Test
    default void rangeMayNotWrapAround(World world) {
        Connection first = Connection.on(world);
        Side left = first.left();
        int key = first.right().memory().remoteKey();

        denied(first, batch -> batch.write(-4, key).local(left.slice(0, 8)));
        denied(first.another(), batch -> batch.read(-4, key).local(left.slice(0, 8)));
    }

    /// The whole range is judged with the first packet, so nothing of it is written.
    @Test
    default void longWriteIsJudgedBeforeItsFirstByte(World world) {
        Connection connection = Setup.of(world).pathMtu(256).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 65_536, 1);
        long last = right.memory().address() + right.memory().length() - 10_000;

        denied(
                connection,
                batch ->
                        batch.write(last, right.memory().remoteKey()).local(left.slice(0, 10_001)));

        right.isUntouched(0, right.memory().length());
    }

    @Test
    default void regionGrantsOnlyItsRights(World world) {
        Connection first = Connection.on(world);
        Side left = first.left();
        MemoryRegion unreadable =
                first.right().domain().allocate(64, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        MemoryRegion unwritable =
                first.right()
                        .domain()
                        .allocate(64, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        MemoryRegion plain =
                first.right().domain().allocate(64, Access.REMOTE_READ, Access.REMOTE_WRITE);

        denied(first, batch -> batch.read(left.slice(0, 64), unreadable.remote()));
        denied(first.another(), batch -> batch.write(left.slice(0, 64), unwritable.remote()));
        denied(
                first.another(),
                batch ->
                        batch.fetchAndAdd(plain.address(), plain.remoteKey(), 1)
                                .local(left.slice(0, 8)));
        denied(
                first.another(),
                batch ->
                        batch.compareAndSwap(plain.address(), plain.remoteKey(), 0, 1)
                                .local(left.slice(0, 8)));
    }

    @Test
    default void queuePairGrantsOnlyItsRights(World world) {
        for (Access missing :
                Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
            Set<Access> rights =
                    EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
            rights.remove(missing);
            Connection connection =
                    Setup.of(world).rightOptions(options -> options.access(rights)).connect();
            Side left = connection.left();
            Side right = connection.right();
            long address = right.memory().address();
            int key = right.memory().remoteKey();

            left.fails(
                    CompletionStatus.REMOTE_INVALID_REQUEST,
                    batch -> {
                        switch (missing) {
                            case REMOTE_READ -> batch.read(address, key);
                            case REMOTE_WRITE -> batch.write(address, key);
                            default -> batch.fetchAndAdd(address, key, 1);
                        }
                        batch.local(left.slice(0, 8));
                    });
            right.comesTo(QueuePairState.ERROR);
            right.isUntouched(0, 64);
        }
    }

    @Test
    default void misalignedAtomicIsSenseless(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        long odd = right.memory().address() + 4;
        int key = right.memory().remoteKey();

        left.fails(
                CompletionStatus.REMOTE_INVALID_REQUEST,
                batch -> batch.fetchAndAdd(odd, key, 1).local(left.slice(0, 8)));
        right.comesTo(QueuePairState.ERROR);
        right.isUntouched(0, 64);
    }

    @Test
    default void failureByThePeerIsAnEvent(World world) {
        world.needs(Feature.PEER_FAILURE_EVENTS);
        Connection first = Connection.on(world);
        Connection second = first.another();
        Side left = first.left();
        long address = first.right().memory().address();
        int key = first.right().memory().remoteKey();

        denied(first, batch -> batch.write(address, ~key).local(left.slice(0, 8)));
        first.right().raises(AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR);

        second.left()
                .fails(
                        CompletionStatus.REMOTE_INVALID_REQUEST,
                        batch -> batch.fetchAndAdd(address + 1, key, 1).local(left.slice(0, 8)));
        second.right().raises(AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR);
    }

    private static void denied(Connection connection, Consumer<? super SendBatch> work) {
        connection.left().fails(CompletionStatus.REMOTE_ACCESS_ERROR, work);
        connection.right().comesTo(QueuePairState.ERROR);
        connection.right().isUntouched(0, 64);
        long end = connection.right().memory().length();
        connection.right().isUntouched(end - 100, 100);
    }
}
