package dev.verbena.conformance;

import static dev.verbena.conformance.DatagramConformance.HEADER;
import static dev.verbena.conformance.DatagramConformance.arrival;
import static dev.verbena.conformance.DatagramConformance.datagrams;
import static dev.verbena.conformance.DatagramConformance.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Datagrams that are not received, and requests that cannot be datagrams.
public interface DatagramRefusalConformance extends Conformance {
    @Test
    default void wrongQueueKeyIsDropped(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        int wrong = (to(right).queueKey() ^ 1) & Integer.MAX_VALUE;
        right.receive(1, 0, 100);

        left.post(
                batch ->
                        batch.send(left.slice(0, 10))
                                .to(way, right.pair().number(), wrong)
                                .signaled());

        left.sent().next().succeeded();
        right.received().staysEmpty();
        right.isUntouched(0, 100);
        assertThat(arrival(right, left, way, 20).byteLength()).isEqualTo(HEADER + 20);
    }

    /// IBA 10.2.5: with the highest bit set, whatever the others are, a sender shows its own key.
    @Test
    default void highestBitShowsTheSendersOwnKey(World world) {
        int own = 0x0001_0203;
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UD)
                        .options(options -> options.queueKey(own))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        Side stranger = datagrams(world).left();
        AddressHandle strangersWay = stranger.wayTo(right);
        right.receive(1, 0, 100);

        // Its own key is shown, which is another.
        int marked = 0x8000_0000 | own;
        stranger.post(batch -> batch.send().to(strangersWay, right.pair().number(), marked));
        right.received().staysEmpty();
        Seen seen =
                right.received()
                        .arrival(
                                () ->
                                        left.post(
                                                batch ->
                                                        batch.send()
                                                                .to(
                                                                        way,
                                                                        right.pair().number(),
                                                                        0x8000_0000)));

        assertThat(seen.succeeded().sourceQueuePair()).isEqualTo(left.pair().number());
    }

    @Test
    default void datagramWithoutAReceiveIsDropped(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);

        left.post(batch -> batch.send(left.slice(0, 10)).to(way, to(right)).signaled());
        left.sent().next().succeeded();
        world.advance(Inbox.LOOKED_AT);
        right.receive(2, 0, 100);

        right.received().staysEmpty();
        assertThat(arrival(right, left, way, 20).byteLength()).isEqualTo(HEADER + 20);
    }

    @Test
    default void datagramLongerThanTheReceiveIsDroppedAndTheReceiveKept(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        left.fill(0, 100, 1);
        right.receive(1, 0, HEADER + 50);

        left.post(batch -> batch.send(left.slice(0, 51)).to(way, to(right)));
        right.received().staysEmpty();

        assertThat(right.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        Seen seen = arrival(right, left, way, 50);
        assertThat(seen.id()).isEqualTo(1);
        right.holds(HEADER, left.bytes(0, 50));
        right.isUntouched(HEADER + 50, 100);
    }

    @Test
    default void receiveWithoutRoomForTheHeaderIsRefused(World world) {
        Side right = datagrams(world).right();

        assertThatThrownBy(
                        () ->
                                right.pair()
                                        .postReceive(
                                                batch -> batch.receive(right.slice(0, HEADER - 1))))
                .isInstanceOf(InvalidRequestException.class);
        right.receive(1, 0, HEADER);
    }

    @Test
    default void queueKeyThatNobodyCouldShowIsRefused(World world) {
        assertThatThrownBy(
                        () ->
                                Setup.of(world)
                                        .type(QueuePairType.UD)
                                        .options(options -> options.queueKey(0x8001_0203))
                                        .build())
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    default void unknownNumberIsDropped(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        int nobody = right.pair().number() == 77 ? 78 : 77;

        left.post(batch -> batch.send().to(way, nobody, 1).signaled());

        left.sent().next().succeeded();
        right.receive(1, 0, 100);
        arrival(right, left, way, 1);
    }

    @Test
    default void connectedPairTakesNoDatagrams(World world) {
        Connection connection = Connection.on(world);
        Side right = connection.right();
        Side stranger = datagrams(world).left();
        AddressHandle way = stranger.wayTo(right);
        right.receiveNothing(1);

        stranger.post(batch -> batch.send().to(way, right.pair().number(), 0).signaled());

        stranger.sent().next().succeeded();
        right.received().staysEmpty();
    }

    @Test
    default void datagramOverTheMtuIsRefused(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        AddressHandle way = left.wayTo(connection.right());
        int most = left.device().port(1).activeMtu();

        Mistakes.beyond(most, () -> left.pair().post(one(left, connection, way, most + 1)));
        Mistakes.beyond(
                most,
                () ->
                        left.pair()
                                .post(
                                        batch ->
                                                batch.send(left.slice(0, most))
                                                        .local(left.slice(0, 1))
                                                        .to(way, to(connection.right()))));
        left.sent().staysEmpty();
    }

    private static Consumer<SendBatch> one(
            Side left, Connection connection, AddressHandle way, long length) {
        return batch -> batch.send(left.slice(0, length)).to(way, to(connection.right()));
    }

    @Test
    default void onlySendsAreDatagrams(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        List<Consumer<SendBatch>> others =
                List.of(
                        batch -> batch.write(left.slice(0, 8), right.remote(0, 8)),
                        batch -> batch.writeImmediate(left.slice(0, 8), right.remote(0, 8), 1),
                        batch -> batch.read(left.slice(0, 8), right.remote(0, 8)),
                        batch -> batch.compareAndSwap(left.slice(0, 8), right.remote(0, 8), 1, 2),
                        batch -> batch.fetchAndAdd(left.slice(0, 8), right.remote(0, 8), 1),
                        batch -> batch.sendInvalidate(1),
                        batch -> batch.localInvalidate(1));
        for (Consumer<SendBatch> other : others) {
            Mistakes.refused(InvalidRequestException.class, () -> left.pair().post(other));
        }
        left.sent().staysEmpty();
    }

    @Test
    default void datagramWithoutADestinationIsRefused(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);

        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.send(left.slice(0, 8))));
        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.send().to(way, to(right)).send()));
        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.to(way, to(right)).send()));
        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.send().to(way, 0x100_0000, 1)));
        left.sent().staysEmpty();
    }

    @Test
    default void handlesOfOthersAreRefused(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        Side other = datagrams(world).left();
        AddressHandle closed = left.wayTo(right);
        closed.close();
        closed.close();

        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.send().to(other.wayTo(right), to(right))));
        Mistakes.refused(
                ClosedException.class,
                () -> left.pair().post(batch -> batch.send().to(closed, to(right))));
        Address nowhere = Address.to(to(right)).withGid(Gid.NONE);
        if (nowhere.lid() == 0) {
            Mistakes.refused(
                    InvalidRequestException.class, () -> left.domain().addressHandle(nowhere));
        }
    }

    @Test
    default void datagramPairHasNoPeer(World world) {
        Connection connection = Setup.of(world).type(QueuePairType.UD).build();
        Side left = connection.left();

        Mistakes.refused(
                InvalidRequestException.class, () -> left.pair().connect(to(connection.right())));

        assertThat(left.pair().state()).isEqualTo(QueuePairState.INIT);
        left.pair().activate();
        assertThat(left.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    default void connectedPairNamesNoReceiver(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        world.needs(Feature.DATAGRAM);
        AddressHandle way = left.wayTo(connection.right());

        Mistakes.refused(
                InvalidRequestException.class,
                () -> left.pair().post(batch -> batch.send().to(way, to(connection.right()))));
        Mistakes.refused(InvalidRequestException.class, () -> left.pair().activate());
        connection.works();
    }

    @Test
    default void pairsOfDifferentTypesDoNotConnect(World world) {
        Connection datagrams = datagrams(world);
        Connection reliable = Setup.of(world).build();

        Mistakes.refused(
                InvalidRequestException.class,
                () -> reliable.left().pair().connect(to(datagrams.right())));
    }

    @Test
    default void closedArenaStopsTheSendQueueOfDatagramsOnly(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle there = left.wayTo(right);
        AddressHandle back = right.wayTo(left);
        Arena arena = Arena.ofShared();
        MemoryRegion source = left.domain().register(arena.allocate(100), Access.LOCAL_WRITE);
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, given -> {});
        left.post(
                batch ->
                        batch.send(source.slice())
                                .to(there, to(right))
                                .id(1)
                                .send(left.slice(0, 8))
                                .to(there, to(right))
                                .id(2));
        arena.close();

        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});

        assertThat(left.sent().take(2))
                .extracting(Seen::status)
                .containsExactly(CompletionStatus.LOCAL_PROTECTION_ERROR, CompletionStatus.FLUSHED);
        left.comesTo(QueuePairState.SEND_QUEUE_ERROR);
        left.receive(3, 0, 100);
        assertThat(arrival(left, right, back, 8).id()).isEqualTo(3);
        left.pair().modify(QueuePairState.READY_TO_SEND, given -> {});
        right.receive(4, 0, 100);
        assertThat(arrival(right, left, there, 8).id()).isEqualTo(4);
    }

    @Test
    default void closedArenaFailsTheReceiverOfADatagram(World world) {
        world.needs(Feature.CLOSED_ARENAS);
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        Arena arena = Arena.ofShared();
        MemoryRegion target = right.domain().register(arena.allocate(100), Access.LOCAL_WRITE);
        right.receive(1, target.slice());
        right.receive(2, 0, 100);
        arena.close();

        Seen failed =
                right.received().arrival(() -> left.post(batch -> batch.send().to(way, to(right))));

        assertThat(failed.ended(CompletionStatus.LOCAL_PROTECTION_ERROR).id()).isEqualTo(1);
        assertThat(right.received().next().ended(CompletionStatus.FLUSHED).id()).isEqualTo(2);
        right.comesTo(QueuePairState.ERROR);
    }

    @Test
    default void failedPairFlushesItsDatagrams(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        AddressHandle way = left.wayTo(connection.right());
        left.receive(1, 0, 100);

        left.pair().modify(QueuePairState.ERROR, given -> {});
        left.post(batch -> batch.send().to(way, to(connection.right())).id(2));

        left.received().next().ended(CompletionStatus.FLUSHED);
        left.sent().next().ended(CompletionStatus.FLUSHED);
    }

    @Test
    default void closedPairTakesNothingMore(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        QueuePair gone = connection.another().right().pair();
        int number = gone.number();
        int key = gone.endpoint().queueKey();
        gone.close();

        left.post(batch -> batch.send().to(way, number, key).signaled());

        left.sent().next().succeeded();
        right.receive(1, 0, 100);
        arrival(right, left, way, 3);
    }
}
