package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagrams: messages of one packet to any queue pair whose number and queue key are known.
public interface DatagramConformance extends Conformance {
    /// Bytes in front of every datagram that was received.
    int HEADER = DatagramHeader.LENGTH;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 255, 256})
    default void datagramArrivesBehindItsHeader(int length, World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        left.fill(0, 256, length);
        right.receive(7, 0, 1000);

        Seen seen =
                right.received()
                        .arrival(
                                () ->
                                        left.post(
                                                batch ->
                                                        batch.send(left.slice(0, length))
                                                                .to(way, to(right))));

        assertThat(seen.id()).isEqualTo(7);
        seen.succeeded().of(CompletedOperation.RECEIVE, HEADER + length);
        assertThat(seen.queuePair()).isEqualTo(right.pair().number());
        assertThat(seen.sourceQueuePair()).isEqualTo(left.pair().number());
        assertThat(seen.immediate()).isEmpty();
        assertThat(seen.solicited()).isFalse();
        right.holds(HEADER, left.bytes(0, length));
        right.isUntouched(HEADER + length, 1000);
    }

    @Test
    default void datagramMayBeAsLongAsThePortAllows(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        int most = left.device().port(1).activeMtu();
        AddressHandle way = left.wayTo(right);
        left.fill(0, most, 1);
        right.receive(1, 0, HEADER + most);

        Seen seen = arrival(right, left, way, most);

        seen.of(CompletedOperation.RECEIVE, HEADER + most);
        right.holds(HEADER, left.bytes(0, most));
    }

    @Test
    default void datagramIsDoneWhenItHasLeft(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        AddressHandle way = left.wayTo(connection.right());

        // It works without a receiver.
        left.post(
                batch ->
                        batch.send(left.slice(0, 100))
                                .to(way, to(connection.right()))
                                .id(5)
                                .signaled()
                                .send(left.slice(0, 100))
                                .to(way, to(connection.right()))
                                .id(6)
                                .send()
                                .to(way, to(connection.right()))
                                .id(7)
                                .signaled());

        List<Seen> done = left.sent().takeSuccesses(2);
        assertThat(done).extracting(Seen::id).containsExactly(5L, 7L);
        done.getFirst().of(CompletedOperation.SEND, 100);
        connection.right().received().staysEmpty();
    }

    @Test
    default void immediateDataArrives(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        right.receive(1, 0, 100);

        Seen seen =
                right.received()
                        .arrival(
                                () ->
                                        left.post(
                                                batch ->
                                                        batch.sendImmediate(
                                                                        left.slice(0, 10),
                                                                        0x89AB_CDEF)
                                                                .to(way, to(right))));

        seen.succeeded().of(CompletedOperation.RECEIVE, HEADER + 10);
        assertThat(seen.immediate()).hasValue(0x89AB_CDEF);
    }

    @Test
    default void inlineDatagramMayBeChangedAtOnce(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        byte[] payload = {1, 2, 3, 4, 5};
        right.receive(1, 0, 100);

        right.received()
                .arrival(
                        () -> {
                            MemorySegment mine = MemorySegment.ofArray(payload.clone());
                            left.post(
                                    batch ->
                                            batch.send()
                                                    .inline(mine, 0, payload.length)
                                                    .to(way, to(right)));
                            mine.fill((byte) 9);
                        })
                .succeeded();

        right.holds(HEADER, payload);
    }

    @Test
    default void datagramIsGatheredAndScattered(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        left.fill(0, 100, 1);
        // Header and payload need not be neighbours.
        right.postReceive(batch -> batch.receive(right.slice(0, 40)).local(right.slice(500, 60)));

        right.received()
                .arrival(
                        () ->
                                left.post(
                                        batch ->
                                                batch.send(left.slice(0, 20))
                                                        .local(left.slice(20, 40))
                                                        .to(way, to(right))))
                .succeeded()
                .of(CompletedOperation.RECEIVE, HEADER + 60);

        right.holds(500, left.bytes(0, 60));
    }

    @Test
    default void datagramsComeInTheOrderOfTheirSending(World world) {
        world.needs(Feature.LOSSLESS);
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        for (int i = 0; i < 50; i++) {
            right.receive(i, 0, 100);
        }

        left.post(
                batch -> {
                    for (int i = 0; i < 50; i++) {
                        batch.sendImmediate(i).local(left.slice(0, 20)).to(way, to(right));
                    }
                });

        List<Seen> seen = right.received().takeSuccesses(50);
        for (int i = 0; i < 50; i++) {
            assertThat(seen.get(i).id()).isEqualTo(i);
            assertThat(seen.get(i).immediate()).hasValue(i);
        }
    }

    @Test
    default void datagramPairIsMadeReadyFromResetToo(World world) {
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UD)
                        .options(options -> options.leaveReset())
                        .build();
        Side left = connection.left();
        Side right = connection.right();
        assertThat(left.pair().state()).isEqualTo(QueuePairState.RESET);

        left.pair().activate();
        right.pair().activate(given -> given.queueKey(7));

        assertThat(to(right).queueKey()).isEqualTo(7);
        right.receive(1, 0, 100);
        arrival(right, left, left.wayTo(right), 10);
    }

    @Test
    default void regionMayBeClosedBehindItsDatagrams(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        left.fill(0, 100, 2);
        byte[] expected = left.bytes(0, 100);
        right.receive(1, 0, 200);

        right.received()
                .arrival(
                        () -> {
                            MemoryRegion source = left.domain().allocate(100);
                            source.segment().copyFrom(MemorySegment.ofArray(expected));
                            left.post(batch -> batch.send(source.slice()).to(way, to(right)));
                            source.close();
                        })
                .succeeded();

        right.holds(HEADER, expected);
    }

    @Test
    default void solicitedDatagramNotifies(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        AtomicInteger calls = new AtomicInteger();
        right.received().queue().onNotification(calls::incrementAndGet);
        right.received().queue().arm(Notification.SOLICITED);

        right.receive(1, 0, 100);
        assertThat(arrival(right, left, way, 10).solicited()).isFalse();
        world.advance(Inbox.QUIET);
        assertThat(calls).hasValue(0);
        right.receive(2, 0, 100);
        Seen seen =
                right.received()
                        .arrival(
                                () ->
                                        left.post(
                                                batch ->
                                                        batch.send()
                                                                .solicited()
                                                                .to(way, to(right))));

        assertThat(seen.solicited()).isEqualTo(world.has(Feature.SOLICITED_MARK));
        world.advanceUntil(() -> calls.get() > 0, Inbox.LIMIT);
        assertThat(calls).hasValue(1);
    }

    /// Two datagram queue pairs, ready to send; skips the test where there are none.
    static Connection datagrams(World world) {
        return Setup.of(world).type(QueuePairType.UD).connect();
    }

    /// Where datagrams to a side go to.
    static Endpoint to(Side side) {
        return side.pair().endpoint();
    }

    /// Sends the first bytes of a side's memory until they arrive, and returns how.
    static Seen arrival(Side receiver, Side sender, AddressHandle way, long length) {
        return receiver.received()
                .arrival(
                        () ->
                                sender.post(
                                        batch ->
                                                batch.send(sender.slice(0, length))
                                                        .to(way, to(receiver))))
                .succeeded();
    }
}
