package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Mistakes of the caller's: refused at once, by name, and without any trace.
public interface MistakeConformance extends Conformance {
    @Test
    default void memoryOfAnotherDomainIsRefused(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion foreign = left.device().protectionDomain().allocate(100, Access.LOCAL_WRITE);

        refusedSend(connection, batch -> batch.send(foreign.slice()));
        refusedSend(
                connection,
                batch -> batch.read(foreign.slice(), connection.right().remote(0, 100)));
        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().postReceive(batch -> batch.receive(foreign.slice())));
        left.received().staysEmpty();
        connection.works();
    }

    @Test
    default void bytesOutsideOfTheRegionAreRefused(World world) {
        Connection connection = Connection.on(world);
        MemoryRegion memory = connection.left().memory();
        long[][] ranges = {
            {-1, 1},
            {0, memory.length() + 1},
            {memory.length(), 1},
            {1, memory.length()},
            {0, -1},
            {Long.MAX_VALUE, 1},
            {1, Long.MAX_VALUE},
        };
        for (long[] range : ranges) {
            Mistakes.refused(InvalidRequestException.class, () -> memory.slice(range[0], range[1]));
            refusedSend(connection, batch -> batch.send().local(memory, range[0], range[1]));
            Mistakes.refused(
                    InvalidRequestException.class,
                    () ->
                            connection
                                    .left()
                                    .pair()
                                    .postReceive(
                                            batch ->
                                                    batch.receive()
                                                            .local(memory, range[0], range[1])));
        }
        connection.works();
    }

    @Test
    default void fileThatIsNoMemoryOfAnotherDeviceIsRefused(World world) {
        ProtectionDomain domain = world.device(0).protectionDomain();

        Mistakes.refused(VerbsException.class, () -> domain.registerDmaBuf(-1, 0, 4096));
        Mistakes.refused(VerbsException.class, () -> domain.registerDmaBuf(-1, -1, 4096));
        Mistakes.refused(VerbsException.class, () -> domain.registerDmaBuf(-1, 0, -1));
    }

    @Test
    default void memoryThatCannotBeRegisteredIsRefused(World world) {
        ProtectionDomain domain = world.device(0).protectionDomain();
        Mistakes.refused(
                InvalidRequestException.class,
                () -> domain.register(MemorySegment.ofArray(new byte[100])));
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment segment = confined.allocate(100);
            Mistakes.refused(InvalidRequestException.class, () -> domain.register(segment));
        }
        Arena shared = Arena.ofShared();
        MemorySegment closed = shared.allocate(100);
        shared.close();
        Mistakes.refused(InvalidRequestException.class, () -> domain.register(closed));
    }

    @Test
    default void readOnlySegmentTakesNoWritingRights(World world) {
        ProtectionDomain domain = world.device(0).protectionDomain();
        MemorySegment segment = Arena.ofAuto().allocate(100).asReadOnly();

        Mistakes.refused(
                InvalidRequestException.class, () -> domain.register(segment, Access.REMOTE_WRITE));
    }

    @Test
    default void memoryThatMayNotBeWrittenTakesNoAnswer(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion fixed = left.domain().allocate(100, Access.REMOTE_READ);

        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().postReceive(batch -> batch.receive(fixed.slice())));
        refusedSend(connection, batch -> batch.read(fixed.slice(0, 8), right.remote(0, 8)));
        refusedSend(
                connection,
                batch ->
                        batch.fetchAndAdd(right.memory().address(), right.memory().remoteKey(), 1)
                                .local(fixed.slice(0, 8)));
        connection.works();
    }

    @Test
    default void remoteWriteIncludesLocalWrite(World world) {
        Connection connection = Connection.on(world);
        Side right = connection.right();
        MemoryRegion remote = right.domain().allocate(100, Access.REMOTE_WRITE);

        right.receive(1, remote.slice());
        connection.left().post(batch -> batch.send(connection.left().slice(0, 100)));

        right.received().next().succeeded();
    }

    @Test
    default void atomicNeedsRoomForEightBytes(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        long address = connection.right().memory().address();
        int key = connection.right().memory().remoteKey();

        refusedSend(
                connection, batch -> batch.fetchAndAdd(address, key, 1).local(left.slice(0, 4)));
        refusedSend(
                connection,
                batch -> batch.compareAndSwap(address, key, 0, 1).local(left.slice(0, 16)));
        refusedSend(connection, batch -> batch.fetchAndAdd(address, key, 1));
        connection.works();
    }

    @Test
    default void tooManyPiecesAreRefused(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        int most = left.device().limits().scatterGather();

        Mistakes.beyond(
                most,
                () ->
                        left.pair()
                                .post(
                                        batch -> {
                                            batch.send();
                                            for (int i = 0; i <= most; i++) {
                                                batch.local(left.slice(i, 1));
                                            }
                                        }));
        Mistakes.beyond(
                most,
                () ->
                        left.pair()
                                .postReceive(
                                        batch -> {
                                            batch.receive();
                                            for (int i = 0; i <= most; i++) {
                                                batch.local(left.memory(), i, 1);
                                            }
                                        }));
        left.sent().staysEmpty();
        left.received().staysEmpty();
        connection.works();
    }

    @Test
    default void pieceWithoutARequestIsRefused(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();

        Mistakes.refused(
                VerbsException.class,
                () -> left.pair().post(batch -> batch.local(left.slice(0, 8))));
        Mistakes.refused(
                VerbsException.class,
                () -> left.pair().postReceive(batch -> batch.local(left.memory(), 0, 8)));
        connection.works();
    }

    @Test
    default void objectsLargerThanTheDeviceHoldsAreRefused(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        DeviceLimits limits = left.device().limits();

        Mistakes.beyond(
                limits.completions(),
                () -> left.device().completionQueue(limits.completions() + 1));
        Mistakes.beyond(
                limits.workRequests(),
                () ->
                        left.domain()
                                .queuePair(
                                        QueuePairType.RC,
                                        options ->
                                                options.completions(left.sent().queue())
                                                        .sendDepth(limits.workRequests() + 1)));
        Mistakes.beyond(
                limits.workRequests(),
                () ->
                        left.domain()
                                .queuePair(
                                        QueuePairType.RC,
                                        options ->
                                                options.completions(left.sent().queue())
                                                        .receiveDepth(limits.workRequests() + 1)));
        Mistakes.beyond(
                limits.regionBytes(), () -> left.domain().allocate(limits.regionBytes() + 1));
    }

    @Test
    default void senselessSizesAreRefused(World world) {
        Side left = Setup.of(world).build().left();

        Mistakes.refused(VerbsException.class, () -> left.device().completionQueue(0));
        Mistakes.refused(VerbsException.class, () -> left.domain().allocate(-1));
        Mistakes.refused(VerbsException.class, () -> left.device().port(0));
        Mistakes.refused(VerbsException.class, () -> left.device().port(255));
        Mistakes.refused(VerbsException.class, () -> left.device().gids(255));
        Mistakes.refused(VerbsException.class, () -> left.device().partitionKeys(255));
    }

    @Test
    default void queuePairNeedsQueuesOfItsDevice(World world) {
        Connection connection = Setup.of(world).build();
        Side left = connection.left();
        Side right = connection.right();

        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.domain().queuePair(QueuePairType.RC, options -> {}));
        Mistakes.refused(
                InvalidRequestException.class,
                () ->
                        left.domain()
                                .queuePair(
                                        QueuePairType.RC,
                                        options -> options.completions(right.sent().queue())));
    }

    @Test
    default void connectionBeyondTheDeviceIsRefused(World world) {
        Connection connection = Setup.of(world).build();
        Side left = connection.left();
        DeviceLimits limits = left.device().limits();

        if (limits.readsAsInitiator() < 255) {
            Mistakes.beyond(
                    limits.readsAsInitiator(),
                    () ->
                            left.pair()
                                    .connect(
                                            connection.right().pair().endpoint(),
                                            given ->
                                                    given.readsAsInitiator(
                                                            limits.readsAsInitiator() + 1)));
        }
        Side other = Setup.of(world).build().left();
        if (limits.readsAsResponder() < 255) {
            Mistakes.beyond(
                    limits.readsAsResponder(),
                    () ->
                            other.pair()
                                    .connect(
                                            connection.right().pair().endpoint(),
                                            given ->
                                                    given.readsAsResponder(
                                                            limits.readsAsResponder() + 1)));
        }
    }

    @Test
    default void batchWithAMistakeIsGivenUpAsAWhole(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        int room = left.pair().sendRoom();

        refusedSend(
                connection,
                batch ->
                        batch.write(left.slice(0, 100), right.remote(0, 100))
                                .signaled()
                                .send()
                                .local(left.memory(), -1, 5));

        assertThat(left.pair().sendRoom()).isEqualTo(room);
        right.isUntouched(0, 100);
        connection.works();
    }

    private static void refusedSend(Connection connection, Consumer<? super SendBatch> work) {
        Side left = connection.left();
        Mistakes.refused(InvalidRequestException.class, () -> left.pair().post(work));
        left.sent().staysEmpty();
    }
}
