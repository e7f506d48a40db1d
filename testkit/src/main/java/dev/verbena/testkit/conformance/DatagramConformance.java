package dev.verbena.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagrams: messages of one packet to anybody whose number and queue key are known.
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

        // Nobody has to be there for it.
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
    default void headerNamesSourceAndDestination(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        right.receive(1, 64, 100);
        Endpoint peer = right.pair().endpoint();
        AddressHandle way = left.domain().addressHandle(Address.to(peer).withTrafficClass(0x68));

        Seen seen = arrival(right, left, way, 10);

        if (left.device().port(1).linkLayer() == LinkLayer.ETHERNET) {
            assertThat(seen.globalHeader()).isTrue();
        }
        if (seen.globalHeader()) {
            MemorySegment memory = right.memory().segment();
            Endpoint here = left.pair().endpoint();
            assertThat(DatagramHeader.source(memory, 64)).isEqualTo(here.gid());
            assertThat(DatagramHeader.destination(memory, 64)).isEqualTo(peer.gid());
            assertThat(DatagramHeader.trafficClass(memory, 64) & 0xFC).isEqualTo(0x68);
        }
    }

    @Test
    default void replyReachesTheSender(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        right.receive(1, 0, 100);
        left.receive(2, 0, 100);
        left.post(batch -> batch.send(left.slice(200, 4)).to(way, to(right)));

        // The completion itself is asked, as a program would; what is lost is sent again.
        List<Address> ways = new ArrayList<>();
        List<Integer> senders = new ArrayList<>();
        CompletionQueue queue = right.received().queue();
        for (int i = 0; i < 100 && ways.isEmpty(); i++) {
            world.advanceUntil(
                    () -> queue.poll(1, datagram -> note(datagram, right, ways, senders)) > 0,
                    Inbox.QUIET);
            if (ways.isEmpty()) {
                left.post(batch -> batch.send(left.slice(200, 4)).to(way, to(right)));
            }
        }
        assertThat(senders).containsExactly(left.pair().number());

        AddressHandle back = right.domain().addressHandle(ways.getFirst());
        int key = left.pair().endpoint().queueKey();
        right.fill(0, 50, 3);
        Seen answer =
                left.received()
                        .arrival(
                                () ->
                                        right.post(
                                                batch ->
                                                        batch.send(right.slice(0, 50))
                                                                .to(
                                                                        back,
                                                                        senders.getFirst(),
                                                                        key)));
        assertThat(answer.succeeded().sourceQueuePair()).isEqualTo(right.pair().number());
        left.holds(HEADER, right.bytes(0, 50));
    }

    private static void note(
            Completion datagram, Side receiver, List<Address> ways, List<Integer> senders) {
        ways.add(Address.replyTo(datagram, receiver.memory().segment(), 0));
        senders.add(datagram.sourceQueuePair());
    }

    @Test
    default void onePairTalksToMany(World world) {
        Connection connection = datagrams(world);
        Side hub = connection.left();
        List<Side> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Connection more = connection.another();
            others.add(more.left());
            others.add(more.right());
        }
        for (int i = 0; i < others.size(); i++) {
            Side other = others.get(i);
            AddressHandle there = hub.wayTo(other);
            AddressHandle back = other.wayTo(hub);
            // Sides of one device share their memory.
            long at = 4096 + i * 256L;
            hub.fill(0, 64, i);
            other.receive(i, at, HEADER + 64);
            assertThat(arrival(other, hub, there, 64).id()).isEqualTo(i);
            other.holds(at + HEADER, hub.bytes(0, 64));
            hub.receive(i, 1024, HEADER);
            Seen answer = arrival(hub, other, back, 0);
            assertThat(answer.sourceQueuePair()).isEqualTo(other.pair().number());
        }
    }

    @Test
    default void oneHandleServesAllPairsOfItsDomain(World world) {
        Connection connection = datagrams(world);
        Side right = connection.right();
        AddressHandle way = connection.left().wayTo(right);
        Side second = connection.another().left();
        for (Side from : new Side[] {connection.left(), second}) {
            right.receive(1, 0, 100);
            Seen seen = arrival(right, from, way, 8);
            assertThat(seen.sourceQueuePair()).isEqualTo(from.pair().number());
        }
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
    default void handleMayBeClosedBehindItsDatagrams(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        right.receive(1, 0, 200);

        right.received()
                .arrival(
                        () -> {
                            AddressHandle way = left.wayTo(right);
                            left.post(batch -> batch.send(left.slice(0, 100)).to(way, to(right)));
                            way.close();
                        })
                .succeeded();

        right.holds(HEADER, left.bytes(0, 100));
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

        assertThat(seen.solicited()).isTrue();
        world.advanceUntil(() -> calls.get() > 0, Inbox.LIMIT);
        assertThat(calls).hasValue(1);
    }

    @Test
    default void handleDescribesItself(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Address address = Address.to(to(connection.right())).withServiceLevel(3);

        AddressHandle way = left.domain().addressHandle(address);

        assertThat(way.address()).isEqualTo(address);
        assertThat(way.domain()).isSameAs(left.domain());
        assertThat(way.address().gid()).isNotEqualTo(Gid.NONE);
    }

    @Test
    default void queueKeyCanBeChosenAndChanged(World world) {
        Connection connection =
                Setup.of(world)
                        .type(QueuePairType.UD)
                        .rightOptions(options -> options.queueKey(0x1122_3344))
                        .connect();
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.wayTo(right);
        assertThat(to(right).queueKey()).isEqualTo(0x1122_3344);
        assertThat(right.pair().query().queueKey()).isEqualTo(0x1122_3344);
        right.receive(1, 0, 100);
        arrival(right, left, way, 10);

        right.pair().modify(QueuePairState.READY_TO_SEND, given -> given.queueKey(0x5566));

        assertThat(right.pair().query().queueKey()).isEqualTo(0x5566);
        assertThat(to(right).queueKey()).isEqualTo(0x5566);
        right.receive(2, 0, 100);
        left.post(batch -> batch.send().to(way, right.pair().number(), 0x1122_3344));
        right.received().staysEmpty();
        assertThat(arrival(right, left, way, 10).id()).isEqualTo(2);
    }

    @Test
    default void queueKeysDifferUnlessChosen(World world) {
        Connection connection = datagrams(world);

        assertThat(to(connection.left()).queueKey())
                .isNotEqualTo(to(connection.right()).queueKey());
        assertThat(to(connection.left()).type()).isEqualTo(QueuePairType.UD);
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
