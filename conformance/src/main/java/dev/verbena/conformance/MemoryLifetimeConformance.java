package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Memory that goes away while work is in flight: the work ends, and nothing is corrupted.
public interface MemoryLifetimeConformance extends Conformance {
    /// Far more than it takes on a slow machine.
    Duration LIMIT = Duration.ofSeconds(20);

    @Test
    default void workOnAClosedRegionIsFinished(World world) {
        Connection connection = Setup.of(world).memoryBytes(1 << 18).connect();
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion source = left.domain().allocate(200_000);
        Side.fill(source.segment(), 0, 200_000, 1);
        byte[] expected = source.segment().toArray(ValueLayout.JAVA_BYTE);

        left.post(batch -> batch.write(source.slice(), right.remote(0, 200_000)).signaled());
        source.close();

        left.sent().next().succeeded();
        right.holds(0, expected);
    }

    @Test
    default void workIsPostedAndHeldOnARegionThatIsClosedThen(World world) {
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion source = left.domain().allocate(10_000);
        Side.fill(source.segment(), 0, 10_000, 1);
        byte[] expected = source.segment().toArray(ValueLayout.JAVA_BYTE);

        // Nothing of it can be finished before there is a receive.
        left.post(batch -> batch.send(source.slice()).signaled());
        world.advance(Inbox.QUIET);
        source.close();
        world.advance(Inbox.QUIET);
        right.receive(1, 0, 10_000);

        left.sent().next().succeeded();
        right.received().next().succeeded();
        right.holds(0, expected);
    }

    @Test
    default void receiveIntoAClosedRegionStillTakesItsMessage(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion target = right.domain().allocate(100, Access.LOCAL_WRITE);
        right.receive(1, target.slice());

        target.close();
        left.post(batch -> batch.send(left.slice(0, 100)).signaled());

        left.sent().next().succeeded();
        assertThat(right.received().next().succeeded().byteLength()).isEqualTo(100);
    }

    @Test
    default void readIntoAClosedRegionIsFinished(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion target = left.domain().allocate(50_000, Access.LOCAL_WRITE);

        left.post(batch -> batch.read(target.slice(), right.remote(0, 50_000)).signaled());
        target.close();

        left.sent().next().succeeded();
        connection.works();
    }

    @Test
    default void registeredMemoryIsTheCallersOwn(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(5000, 8);
            Side.fill(segment, 0, 5000, 1);
            MemoryRegion registered =
                    left.domain().register(segment, Access.REMOTE_READ, Access.REMOTE_WRITE);
            right.post(batch -> batch.read(right.slice(0, 5000), registered.remote()).signaled());
            right.sent().next().succeeded();
            right.holds(0, segment.toArray(ValueLayout.JAVA_BYTE));
            registered.close();
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo(right.bytes(7, 1)[0]);
        }
        connection.works();
    }

    @Test
    default void automaticAndGlobalMemoryCanBeRegistered(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        for (Arena arena : new Arena[] {Arena.ofAuto(), Arena.global()}) {
            MemoryRegion registered = left.domain().register(arena.allocate(100));
            left.post(batch -> batch.write(registered.slice(), right.remote(0, 100)).signaled());
            left.sent().next().succeeded();
        }
    }

    @Test
    default void closedArenaFailsTheSenderOnly(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = Setup.of(world).rnrRetry(7).connect();
        Connection other = connection.another();
        Side left = connection.left();
        Arena arena = Arena.ofShared();
        MemoryRegion source = left.domain().register(arena.allocate(10_000));

        // The peer has no receive for it, so that it is sent again and again and never arrives.
        left.post(batch -> batch.send(source.slice()).id(5));
        world.advance(Inbox.QUIET);
        closeWhenUnused(world, arena);

        Seen failed = left.sent().next().ended(CompletionStatus.LOCAL_PROTECTION_ERROR);
        assertThat(failed.id()).isEqualTo(5);
        left.comesTo(QueuePairState.ERROR);
        other.works();
    }

    /// An arena that the device reads from at this moment cannot be closed; a later try succeeds.
    private static void closeWhenUnused(World world, Arena arena) {
        for (int tries = 1; ; tries++) {
            try {
                arena.close();
                return;
            } catch (IllegalStateException isInUse) {
                if (tries == 100) {
                    throw isInUse;
                }
                world.advance(Inbox.QUIET);
            }
        }
    }

    @Test
    default void closedArenaFailsTheReader(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Arena arena = Arena.ofShared();
        MemoryRegion target = left.domain().register(arena.allocate(10_000), Access.LOCAL_WRITE);

        // Held in the queue, so that the arena is closed for certain before the answer comes.
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});
        left.post(batch -> batch.read(target.slice(), connection.right().remote(0, 10_000)));
        arena.close();
        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});

        left.sent().next().ended(CompletionStatus.LOCAL_PROTECTION_ERROR);
        left.comesTo(QueuePairState.ERROR);
        connection.another().works();
    }

    @Test
    default void closedArenaFailsTheReceiver(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        Arena arena = Arena.ofShared();
        MemoryRegion target = right.domain().register(arena.allocate(10_000), Access.LOCAL_WRITE);
        right.receive(6, target.slice());

        arena.close();
        left.fails(
                CompletionStatus.REMOTE_OPERATION_ERROR,
                batch -> batch.send(left.slice(0, 10_000)));

        Seen failed = right.received().next().ended(CompletionStatus.LOCAL_PROTECTION_ERROR);
        assertThat(failed.id()).isEqualTo(6);
        connection.another().works();
    }

    @Test
    default void closedArenaIsClosedToThePeer(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Arena arena = Arena.ofShared();
        MemoryRegion target =
                connection.right().domain().register(arena.allocate(10_000), Access.REMOTE_WRITE);

        arena.close();
        left.post(batch -> batch.write(left.slice(0, 10_000), target.remote()));

        Seen failed = left.sent().next();
        if (failed.status() != CompletionStatus.REMOTE_OPERATION_ERROR) {
            left.wasRefused(failed, CompletionStatus.REMOTE_ACCESS_ERROR);
        }
        connection.another().works();
    }

    /// The kernel writes to the memory after the region is gone: it may not be another's by then.
    @Test
    default void memoryThatASystemCallHasIsFreedWhenTheCallEnds(World world) throws Exception {
        Connection connection = Connection.on(world);
        MemoryRegion region = connection.left().domain().allocate(10_000);
        MemorySegment memory = region.segment();
        try (BlockedRead read = new BlockedRead(memory)) {
            region.close();
            assertThat(memory.scope().isAlive()).as("memory that the kernel may write").isTrue();
            read.end();

            Wait.until("it is freed", LIMIT, () -> !memory.scope().isAlive());
        }
        connection.works();
    }
}
