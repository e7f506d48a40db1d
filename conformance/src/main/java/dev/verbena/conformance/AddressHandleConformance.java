package dev.verbena.conformance;

import static dev.verbena.conformance.DatagramConformance.HEADER;
import static dev.verbena.conformance.DatagramConformance.arrival;
import static dev.verbena.conformance.DatagramConformance.datagrams;
import static dev.verbena.conformance.DatagramConformance.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sources and destinations of datagrams: address handles, headers and queue keys.
public interface AddressHandleConformance extends Conformance {
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
            if (world.has(Feature.TRAFFIC_CLASS)) {
                assertThat(DatagramHeader.trafficClass(memory, 64) & 0xFC).isEqualTo(0x68);
            }
        }
    }

    @Test
    default void datagramWithoutAGlobalHeaderKeepsItsPlace(World world) {
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = left.domain().addressHandle(byLid(right));
        left.fill(0, 30, 1);
        right.receive(1, 0, 100);

        Seen seen = arrival(right, left, way, 30);

        assertThat(seen.globalHeader()).isFalse();
        assertThat(seen.byteLength()).isEqualTo(HEADER + 30);
        right.holds(HEADER, left.bytes(0, 30));
    }

    /// A way within a subnet of InfiniBand; skips the test where there is no such thing.
    private static Address byLid(Side side) {
        Assumptions.assumeTrue(
                side.device().port(1).linkLayer() == LinkLayer.INFINIBAND,
                "on Ethernet every packet names GIDs");
        return Address.to(to(side)).withGid(Gid.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void replyReachesTheSender(boolean global, World world) {
        world.needs(Feature.OWN_ADDRESSES);
        Connection connection = datagrams(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle way = global ? left.wayTo(right) : left.domain().addressHandle(byLid(right));
        right.receive(1, 0, 100);
        left.receive(2, 0, 100);
        left.post(batch -> batch.send(left.slice(200, 4)).to(way, to(right)));

        // The completion itself is read, as a program would do; lost datagrams are sent again.
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
        ways.add(
                Address.replyTo(
                        datagram, receiver.memory().segment(), 0, receiver.device().gids(1)));
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
    default void pairMayTalkToItself(World world) {
        Side side = datagrams(world).left();
        AddressHandle way = side.wayTo(side);
        side.fill(0, 50, 1);
        side.receive(1, 1000, HEADER + 50);

        assertThat(arrival(side, side, way, 50).sourceQueuePair()).isEqualTo(side.pair().number());

        side.holds(1000 + HEADER, side.bytes(0, 50));
    }

    @Test
    default void datagramsOfDifferentServiceLevelsMayMix(World world) {
        world.needs(Feature.LOSSLESS);
        Connection connection = datagrams(world);
        Connection second = connection.another();
        Side right = connection.right();
        List<AddressHandle> ways = new ArrayList<>();
        for (int level = 0; level < 8; level++) {
            Address address = Address.to(to(right)).withServiceLevel(level);
            ways.add(connection.left().domain().addressHandle(address));
        }
        for (int i = 0; i < 80; i++) {
            right.receive(i, 0, 100);
        }

        for (int i = 0; i < 10; i++) {
            for (Side left : new Side[] {connection.left(), second.left()}) {
                left.post(
                        batch -> {
                            for (int level : new int[] {0, 3, 3, 7}) {
                                batch.sendImmediate(level).to(ways.get(level), to(right));
                            }
                            batch.signaled();
                        });
            }
        }

        connection.left().sent().takeSuccesses(10);
        second.left().sent().takeSuccesses(10);
        List<Seen> seen = right.received().takeSuccesses(80);
        int number = connection.left().pair().number();
        assertThat(seen).filteredOn(one -> one.sourceQueuePair() == number).hasSize(40);
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
}
