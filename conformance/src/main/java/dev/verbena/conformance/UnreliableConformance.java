package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Unreliable connections: messages arrive whole or not at all, and the sender does not learn
/// which.
public interface UnreliableConformance extends Conformance {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 257, 512, 10_000})
    default void unreliableMessageArrivesWhole(int length, World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, length, length);
        right.receive(3, 0, 20_000);

        Seen seen = arrival(connection, batch -> batch.send(left.slice(0, length)));

        seen.of(CompletedOperation.RECEIVE, length);
        assertThat(seen.id()).isEqualTo(3);
        assertThat(seen.queuePair()).isEqualTo(right.pair().number());
        assertThat(seen.immediate()).isEmpty();
        assertThat(seen.sourceQueuePair()).isZero();
        right.holds(0, left.bytes(0, length));
        right.isUntouched(length, 1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 3000})
    default void unreliableMessageCarriesImmediateData(int length, World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        connection.right().receive(1, 0, 3000);

        Seen seen =
                arrival(
                        connection,
                        batch -> batch.sendImmediate(left.slice(0, length), -7).solicited());

        seen.of(CompletedOperation.RECEIVE, length);
        assertThat(seen.immediate()).hasValue(-7);
        assertThat(seen.solicited()).isEqualTo(world.has(Feature.SOLICITED_MARK));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 256, 5000})
    default void unreliableWriteLandsInThePeersMemory(int length, World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, length, 1);
        byte[] expected = left.bytes(0, length);

        boolean landed = false;
        for (int i = 0; i < 100 && !landed; i++) {
            left.post(batch -> batch.write(left.slice(0, length), right.remote(100, length)));
            landed =
                    world.advanceUntil(
                            () -> Arrays.equals(expected, right.bytes(100, length)), Inbox.QUIET);
        }

        assertThat(landed).isTrue();
        right.isUntouched(0, 100);
        right.isUntouched(100 + length, 1000);
        right.received().staysEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 5000})
    default void unreliableWriteWithImmediateUsesAReceive(int length, World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, length, 2);
        right.receiveNothing(9);

        Seen seen =
                arrival(
                        connection,
                        batch ->
                                batch.writeImmediate(
                                        left.slice(0, length), right.remote(0, length), 5));

        seen.of(CompletedOperation.RECEIVE_WRITE_IMMEDIATE, length);
        assertThat(seen.id()).isEqualTo(9);
        assertThat(seen.immediate()).hasValue(5);
        right.holds(0, left.bytes(0, length));
    }

    @Test
    default void emptyWriteLooksAtNoKey(World world) {
        Connection connection = unreliable(world);
        connection.right().receiveNothing(1);

        arrival(connection, batch -> batch.writeImmediate(0, 0, 1));
    }

    @Test
    default void unreliableRequestIsDoneWhenItHasLeft(World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        RemoteSlice target = connection.right().remote(0, 10_000);

        // It works without a receiver.
        connection.right().pair().close();
        left.post(
                batch ->
                        batch.send(left.slice(0, 10_000))
                                .id(1)
                                .signaled()
                                .write(left.slice(0, 10_000), target)
                                .id(2)
                                .write(left.slice(0, 10_000), target)
                                .id(3)
                                .signaled());

        List<Seen> done = left.sent().takeSuccesses(2);
        done.getFirst().of(CompletedOperation.SEND, 10_000);
        done.getLast().of(CompletedOperation.WRITE, 10_000);
        assertThat(done).extracting(Seen::id).containsExactly(1L, 3L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5000})
    default void unreliableMessageWithoutAReceiveIsDropped(int length, World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();

        left.post(batch -> batch.send(left.slice(0, length)).signaled());
        left.sent().next().succeeded();
        world.advance(Inbox.LOOKED_AT);
        right.receive(1, 0, 5000);

        right.received().staysEmpty();
        stillWorks(connection, 5000);
    }

    @Test
    default void unreliableWriteWithImmediateNeedsAReceive(World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();

        left.post(batch -> batch.writeImmediate(left.slice(0, 600), right.remote(0, 600), 1));
        world.advance(Inbox.LOOKED_AT);
        right.receive(1, 0, 5000);

        right.received().staysEmpty();
        stillWorks(connection, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 300, 5000})
    default void unreliableMessageLongerThanTheReceiveLeavesItPosted(int length, World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, length, 1);
        right.receive(1, 0, 100);

        left.post(batch -> batch.send(left.slice(0, length)).signaled());
        left.sent().next().succeeded();

        right.received().staysEmpty();
        right.isUntouched(100, 1000);
        stillWorks(connection, 100);
    }

    @Test
    default void peerIsNotToldWhatItMayNotDo(World world) {
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .pathMtu(256)
                        .rightOptions(options -> options.access(Set.of(Access.REMOTE_WRITE)))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion readable = right.domain().allocate(1000, Access.REMOTE_READ);
        RemoteSlice whole = right.memory().remote();
        left.fill(0, 1000, 1);
        right.receiveNothing(1);
        List<RemoteSlice> wrong =
                List.of(
                        new RemoteSlice(whole.address(), 600, ~whole.key()),
                        new RemoteSlice(whole.address() + whole.length() - 599, 600, whole.key()),
                        new RemoteSlice(whole.address() - 1, 600, whole.key()),
                        readable.remote().slice(0, 600));

        for (RemoteSlice target : wrong) {
            left.post(batch -> batch.writeImmediate(left.slice(0, 600), target, 1).signaled());
            left.sent().next().succeeded();
        }

        right.received().staysEmpty();
        right.isUntouched(0, 1000);
        assertThat(right.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        arrival(
                connection,
                batch -> batch.writeImmediate(left.slice(0, 600), right.remote(0, 600), 1));
        right.holds(0, left.bytes(0, 600));
    }

    @Test
    default void unreliablePairWithoutTheRightTakesNoWrites(World world) {
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .rightOptions(options -> options.access(Set.of()))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        right.receive(1, 1000, 100);

        left.post(batch -> batch.writeImmediate(left.slice(0, 100), right.remote(0, 100), 1));

        right.received().staysEmpty();
        right.isUntouched(0, 100);
        arrival(connection, batch -> batch.send(left.slice(0, 100)));
    }

    @Test
    default void whatThePeerWouldHaveToAnswerIsRefused(World world) {
        Connection connection = unreliable(world);
        Side left = connection.left();
        RemoteSlice target = connection.right().remote(0, 8);
        List<Consumer<SendBatch>> others =
                List.of(
                        batch -> batch.read(left.slice(0, 8), target),
                        batch -> batch.compareAndSwap(left.slice(0, 8), target, 1, 2),
                        batch -> batch.fetchAndAdd(left.slice(0, 8), target, 1),
                        batch -> batch.sendInvalidate(1));
        for (Consumer<SendBatch> other : others) {
            Mistakes.refused(InvalidRequestException.class, () -> left.pair().post(other));
        }
        left.sent().staysEmpty();
        assertThat(left.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    default void unreliableMessagesComeInTheirOrder(World world) {
        world.needs(Feature.LOSSLESS);
        Connection connection = unreliable(world);
        Side left = connection.left();
        Side right = connection.right();
        for (int i = 0; i < 40; i++) {
            right.receive(i, 0, 2000);
        }

        left.post(
                batch -> {
                    for (int i = 0; i < 40; i++) {
                        batch.sendImmediate(left.slice(0, i * 50L), i);
                    }
                });

        List<Seen> seen = right.received().takeSuccesses(40);
        for (int i = 0; i < 40; i++) {
            assertThat(seen.get(i).id()).isEqualTo(i);
            assertThat(seen.get(i).byteLength()).isEqualTo(i * 50L);
            assertThat(seen.get(i).immediate()).hasValue(i);
        }
    }

    /// Delivered messages are correct, even if others were lost, duplicated or reordered.
    @Test
    default void nothingBrokenIsEverDelivered(World world) {
        int count = 60;
        int length = 1500;
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .pathMtu(256)
                        .memoryBytes((long) count * length)
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, (long) count * length, 1);
        for (int i = 0; i < count; i++) {
            right.receive(i, (long) i * length, length);
        }

        for (int i = 0; i < count; i++) {
            int number = i;
            long at = (long) i * length;
            left.post(batch -> batch.sendImmediate(left.slice(at, length), number).signaled());
        }
        left.sent().takeSuccesses(count);
        boolean isLossless = world.has(Feature.LOSSLESS);
        if (!isLossless) {
            world.advance(Inbox.QUIET);
        }

        List<Seen> seen = isLossless ? right.received().take(count) : right.received().takeAll();
        for (int i = 0; i < seen.size(); i++) {
            Seen one = seen.get(i).succeeded().of(CompletedOperation.RECEIVE, length);
            assertThat(one.id()).as("receives are used in order, none is left out").isEqualTo(i);
            long at = (long) one.immediate().orElseThrow() * length;
            right.holds(one.id() * length, left.bytes(at, length));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFF_FFFF, 0xFF_FFF0, 0x7F_FFFF})
    default void unreliableSequenceNumbersWrapUnnoticed(int first, World world) {
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .pathMtu(256)
                        .attributes(given -> given.sendPsn(first).receivePsn(first))
                        .connect();
        for (int i = 0; i < 5; i++) {
            connection.right().receive(1, 0, 3000);
            stillWorks(connection, 3000);
        }
    }

    /// A first packet is taken wherever the count stands: only the message before it is lost.
    @Test
    default void peerThatCountsOtherwiseIsHeardAllTheSame(World world) {
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UC)
                        .pathMtu(256)
                        .leftAttributes(given -> given.sendPsn(100))
                        .rightAttributes(given -> given.receivePsn(5000))
                        .connect();
        connection.right().receive(1, 0, 3000);

        stillWorks(connection, 3000);
    }

    @Test
    default void strangerIsNotHeardByAnUnreliablePair(World world) {
        world.needs(Feature.OWN_ADDRESSES);
        Connection connection = unreliable(world);
        Side right = connection.right();
        Side stranger = Setup.of(world).type(QueuePairType.UC).build().right();
        stranger.pair()
                .connect(
                        right.pair().endpoint(),
                        given -> given.sendPsn(right.pair().query().receivePsn()));
        stranger.fill(0, 8, 1);
        right.receiveNothing(1);

        stranger.post(batch -> batch.writeImmediate(stranger.slice(0, 8), right.remote(0, 8), 1));

        right.received().staysEmpty();
        right.isUntouched(0, 8);
    }

    @Test
    default void unreliableAndReliablePairsDoNotConnect(World world) {
        Connection reliable = Setup.of(world).build();
        Connection connection = unreliable(world);

        Mistakes.refused(
                InvalidRequestException.class,
                () -> reliable.left().pair().connect(connection.right().pair().endpoint()));
    }

    /// Two queue pairs of the type, connected; skips the test where there are none.
    static Connection unreliable(World world) {
        return Setup.of(world).type(QueuePairType.UC).pathMtu(256).connect();
    }

    /// Posts to the left side until the right side has it, and returns how.
    static Seen arrival(Connection connection, Consumer<? super SendBatch> work) {
        Seen seen = connection.right().received().arrival(() -> connection.left().post(work));
        return seen.ended(CompletionStatus.SUCCESS);
    }

    /// Fails the test unless a message still arrives, into a receive that is posted at 0.
    static void stillWorks(Connection connection, int length) {
        Side left = connection.left();
        left.fill(0, length, length + 1);
        arrival(connection, batch -> batch.send(left.slice(0, length)))
                .of(CompletedOperation.RECEIVE, length);
        connection.right().holds(0, left.bytes(0, length));
    }
}
