package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The attributes that devices and objects report.
public interface QueryConformance extends Conformance {
    @Test
    default void limitsAreUsable(World world) {
        DeviceLimits limits = world.device(0).limits();

        assertThat(limits.queuePairs()).isPositive();
        assertThat(limits.completionQueues()).isPositive();
        assertThat(limits.memoryRegions()).isPositive();
        assertThat(limits.workRequests()).isPositive();
        assertThat(limits.workRequestsInAll()).isGreaterThanOrEqualTo(limits.workRequests());
        assertThat(limits.scatterGather()).isPositive();
        assertThat(limits.inlineBytes()).isNotNegative();
        assertThat(limits.completions()).isPositive();
        assertThat(limits.readsAsInitiator()).isPositive();
        assertThat(limits.readsAsResponder()).isPositive();
        assertThat(limits.regionBytes()).isPositive();
        assertThat(limits.messageBytes()).isPositive();
        assertThat(limits.pendingEvents()).isPositive();
    }

    @Test
    default void limitsAreThereForWhatThereIs(World world) {
        DeviceLimits limits = world.device(0).limits();

        if (world.lacks(Feature.WINDOWS_TYPE_1).isEmpty()) {
            assertThat(limits.memoryWindows()).isPositive();
        }
        if (world.lacks(Feature.SHARED_RECEIVES).isEmpty()) {
            assertThat(limits.sharedReceiveQueues()).isPositive();
        }
        if (world.lacks(Feature.DATAGRAM).isEmpty()) {
            assertThat(limits.addressHandles()).isPositive();
        }
        if (world.lacks(Feature.MULTICAST).isEmpty()) {
            assertThat(limits.multicastGroups()).isPositive();
            assertThat(limits.multicastAttachments()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    default void endpointTellsTheTypeAndKeyOfThePair(QueuePairType type, World world) {
        QueuePair pair = Setup.of(world).type(type).build().left().pair();

        assertThat(pair.type()).isEqualTo(type);
        assertThat(pair.endpoint().type()).isEqualTo(type);
        assertThat(pair.endpoint().queueKey())
                .isEqualTo(type == QueuePairType.UD ? pair.query().queueKey() : 0);
        assertThat(Endpoint.parse(pair.endpoint().toText())).isEqualTo(pair.endpoint());
    }

    @Test
    default void portIsActive(World world) {
        Device device = world.device(0);
        PortAttributes port = device.port(1);

        assertThat(device.name()).isNotBlank();
        assertThat(port.number()).isEqualTo(1);
        assertThat(port.state()).isEqualTo(PortState.ACTIVE);
        assertThat(port.activeMtu()).isBetween(256, port.maxMtu());
        assertThat(device.gids(1)).isNotEmpty();
        assertThat(device.partitionKeys(1))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(key).isBetween(1, 0xFFFF));
    }

    @Test
    default void endpointIsThatOfThePair(World world) {
        Side side = Setup.of(world).build().left();
        Endpoint endpoint = side.pair().endpoint();
        PortAttributes port = side.device().port(1);

        assertThat(endpoint.queuePair()).isEqualTo(side.pair().number()).isBetween(2, 0xFF_FFFE);
        assertThat(endpoint.gid()).isIn(side.device().gids(1));
        assertThat(endpoint.lid()).isEqualTo(port.lid());
        assertThat(endpoint.mtu()).isLessThanOrEqualTo(port.activeMtu());
        assertThat(endpoint.reads()).isLessThanOrEqualTo(side.device().limits().readsAsResponder());
        assertThat(side.pair().endpoint()).isEqualTo(endpoint);
    }

    @Test
    default void endpointAndSliceCanTravelAsBytes(World world) {
        Connection connection = Setup.of(world).build();
        Side left = connection.left();
        Side right = connection.right();
        left.pair().connect(Endpoint.of(right.pair().endpoint().toBytes()));
        right.pair().connect(Endpoint.parse(left.pair().endpoint().toText()));
        RemoteSlice remote = RemoteSlice.of(right.memory().remote().toBytes());
        left.fill(0, 100, 1);

        left.post(batch -> batch.write(left.slice(0, 100), remote.slice(50, 100)).signaled());

        left.sent().next().succeeded();
        right.holds(50, left.bytes(0, 100));
    }

    @Test
    default void connectAgreesWithThePeer(World world) {
        Connection connection = Connection.on(world);
        QueuePair left = connection.left().pair();
        Endpoint there = connection.right().pair().endpoint();

        assertThat(left.query().pathMtu()).isEqualTo(Math.min(left.endpoint().mtu(), there.mtu()));
        assertThat(left.query().peerQueuePair()).isEqualTo(there.queuePair());
        assertThat(left.query().address().lid()).isEqualTo(there.lid());
        if (connection.left().device().port(1).linkLayer() == LinkLayer.ETHERNET) {
            assertThat(left.query().address().gid()).isEqualTo(Address.to(there).gid());
        }
        assertThat(left.query().receivePsn()).isEqualTo(there.psn());
        assertThat(left.query().readsAsInitiator()).isLessThanOrEqualTo(there.reads());
    }

    @Test
    default void regionsDescribeThemselves(World world) {
        Side side = Setup.of(world).build().left();
        MemoryRegion region =
                side.domain().allocate(10_000, Access.LOCAL_WRITE, Access.REMOTE_READ);

        assertThat(region.domain()).isSameAs(side.domain());
        assertThat(region.length()).isEqualTo(10_000);
        assertThat(region.segment().byteSize()).isEqualTo(10_000);
        assertThat(region.segment().address() % 4096).as("aligned to a page").isZero();
        assertThat(region.rights())
                .containsExactlyInAnyOrder(Access.LOCAL_WRITE, Access.REMOTE_READ);
        assertThat(region.remote())
                .isEqualTo(new RemoteSlice(region.address(), 10_000, region.remoteKey()));
        assertThat(region.segment().mismatch(MemorySegment.ofArray(new byte[10_000])))
                .as("zeroed")
                .isEqualTo(-1);
    }

    @Test
    default void numbersAndKeysAreNotSharedByTheLiving(World world) {
        Side side = Setup.of(world).build().left();
        Set<Integer> numbers = new HashSet<>();
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            QueuePair pair =
                    side.domain()
                            .queuePair(
                                    QueuePairType.RC,
                                    options -> options.completions(side.sent().queue()));
            assertThat(numbers.add(pair.number())).as("number 0x%x is new", pair.number()).isTrue();
            int key = side.domain().allocate(64, Access.REMOTE_READ).remoteKey();
            assertThat(keys.add(key)).as("key 0x%x is new", key).isTrue();
        }
    }

    @Test
    default void pairsDescribeThemselves(World world) {
        Side side = Setup.of(world).build().left();

        assertThat(side.pair().type()).isEqualTo(QueuePairType.RC);
        assertThat(side.pair().domain()).isSameAs(side.domain());
        assertThat(side.domain().device()).isSameAs(world.device(0));
        assertThat(side.pair().sendRoom()).isGreaterThanOrEqualTo(128);
        assertThat(side.pair().receiveRoom()).isGreaterThanOrEqualTo(128);
        assertThat(side.sent().queue().capacity()).isGreaterThanOrEqualTo(Setup.COMPLETIONS);
    }

    @Test
    default void countersMoveWithTraffic(World world) {
        Connection connection = Connection.on(world);
        for (Side side : new Side[] {connection.left(), connection.right()}) {
            Map<String, Long> before = Map.copyOf(side.device().counters());
            connection.works();
            Map<String, Long> after = Map.copyOf(side.device().counters());

            assertThat(after).isNotEmpty().containsOnlyKeys(before.keySet());
            assertThat(after.keySet())
                    .as("counters that rose")
                    .anyMatch(name -> value(after, name) > value(before, name));
            assertThat(after.keySet())
                    .as("counters that fell")
                    .noneMatch(name -> value(after, name) < value(before, name));
        }
    }

    private static long value(Map<String, Long> counters, String name) {
        return counters.getOrDefault(name, 0L);
    }
}
