package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.ManagementOutlet;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.manage.Management;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// The port of a device changes while programs use it, as a subnet manager changes it.
class PortTest {
    private static final int PARTITION = 0x8005;
    private static final int ALL_CLASSES = 0xFFFF;

    private final Duo duo = new Duo(options -> {}, attributes -> attributes.retryCount(2));

    private TransportDevice device(int side) {
        return duo.pair.device(side);
    }

    private List<AsyncEvent.Type> events(int side) {
        List<AsyncEvent.Type> types = new ArrayList<>();
        AsyncEvent event = device(side).pollEvent();
        while (event != null) {
            types.add(event.type());
            event = device(side).pollEvent();
        }
        return types;
    }

    private static UnaryOperator<PortSettings> state(PortState state) {
        return port -> port.withState(state);
    }

    @Test
    void whatAPortThatIsDownWouldSendIsLostAndSentAgainOnceItIsActive() {
        duo.receives(1);
        device(LEFT).changePort(state(PortState.DOWN));
        duo.send(1, 10);
        duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
        assertThat(duo.sent(LEFT)).isEmpty();
        assertThat(duo.counter(LEFT, Counter.UNSENT_PORT)).isEqualTo(1);
        assertThat(device(LEFT).pendingClasses()).isZero();

        device(LEFT).changePort(state(PortState.ACTIVE));
        duo.pair.settle();
        assertThat(duo.sent(LEFT)).containsExactly("SEND Only 100 A");
        assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        assertThat(events(LEFT))
                .containsExactly(AsyncEvent.Type.PORT_ERROR, AsyncEvent.Type.PORT_ACTIVE);
    }

    /// Counts packets.
    private static final class Sink implements TransmitSink {
        private final OutboundPacket packet =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
        private int count;
        private int last;

        @Override
        public OutboundPacket next() {
            return packet;
        }

        @Override
        public void accept(OutboundPacket filled) {
            count++;
            last = filled.queuePair();
        }
    }

    @Test
    void aPacketThatIsDroppedTakesItsPartOfTheBudget() {
        TransportDevice device = device(LEFT);
        device.changePort(state(PortState.DOWN));
        ManagementOutlet outlet =
                device.manage(Management.SUBNET, 1, (nowNs, from, bytes, at) -> true);
        duo.send(1, Duo.MTU);
        duo.send(2, Duo.MTU);
        outlet.send(Address.to(Gid.parse("192.0.2.9")), bytes -> {});
        Sink sink = new Sink();
        int onePacket = 300;
        for (int i = 0; i < 3; i++) {
            assertThat(device.pollTransmit(duo.pair.nowNs(), ALL_CLASSES, onePacket, sink)).isOne();
        }
        assertThat(device.pollTransmit(duo.pair.nowNs(), ALL_CLASSES, onePacket, sink)).isZero();
        assertThat(sink.count).isOne();
        assertThat(sink.last).isEqualTo(Management.SUBNET);
        assertThat(duo.counter(LEFT, Counter.UNSENT_PORT)).isEqualTo(2);
    }

    @Test
    void aPortThatIsNotActiveTakesNothingAndItsPeerGivesUp() {
        duo.receives(1);
        device(RIGHT).changePort(state(PortState.ARMED));
        duo.send(1, 10);
        duo.pair.settle();

        assertThat(duo.counter(RIGHT, Counter.DROPPED_PORT)).isEqualTo(3);
        assertThat(duo.completed(LEFT)).containsExactly("1 RETRY_EXCEEDED");
        assertThat(device(RIGHT).port(1).state()).isEqualTo(PortState.ARMED);
    }

    @Test
    void queuePairsGoByThePartitionKeyThatTheirIndexHasNow() {
        duo.receives(2);
        device(RIGHT).changePort(port -> port.withPartitionKeys(List.of(PARTITION)));
        duo.send(1, 10);
        duo.pair.runUntil(duo.pair.nowNs() + Duo.TIMEOUT_NS / 2);
        assertThat(duo.counter(RIGHT, Counter.DROPPED_PARTITION)).isEqualTo(1);

        device(LEFT).changePort(port -> port.withPartitionKeys(List.of(PARTITION)));
        duo.pair.settle();
        assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        assertThat(duo.left().endpoint().partitionKey()).isEqualTo(PARTITION);
        assertThat(device(LEFT).partitionKeys(1)).containsExactly(PARTITION);
        assertThat(events(LEFT)).containsExactly(AsyncEvent.Type.PARTITION_KEY_CHANGE);
    }

    @Test
    void anIndexThatTheTableNoLongerHasIsInNoPartition() {
        assertThat(PortSettings.DEFAULT.partitionKey(1)).isZero();
        assertThat(PortSettings.DEFAULT.gid(1)).isEqualTo(Gid.NONE);
    }

    @Test
    void endpointsNameTheNewLidAndGid() {
        device(LEFT).changePort(port -> port.withLid(8, 2).withSubnetPrefix(0x0102L));
        assertThat(duo.left().endpoint().lid()).isEqualTo(8);
        assertThat(duo.left().endpoint().gid().high()).isEqualTo(0x0102L);
        assertThat(device(LEFT).gids(1)).containsExactly(duo.left().endpoint().gid());
        assertThat(events(LEFT))
                .containsExactly(AsyncEvent.Type.LID_CHANGE, AsyncEvent.Type.GID_CHANGE);
    }

    @Test
    void aPortHasTheLidsBehindItsMask() {
        PortSettings port = PortSettings.DEFAULT.withLid(8, 2);
        assertThat(List.of(7, 8, 11, 12)).filteredOn(port::hasLid).containsExactly(8, 11);
        assertThat(port.withState(PortState.DOWN).lidMask()).isEqualTo(2);
        assertThatThrownBy(() -> port.withLid(9, 2)).hasMessageContaining("use 8");
        assertThatThrownBy(() -> port.withLid(0xC000, 0)).hasMessageContaining("lid: 49152");
        assertThatThrownBy(() -> port.withLid(256, 8)).hasMessageContaining("0 to 7");
    }

    @Test
    void guidsAreTheSecondHalfOfGids() {
        PortSettings port = PortSettings.DEFAULT.withSubnetPrefix(5).withGuids(List.of(1L, 2L));
        assertThat(port.gids()).containsExactly(new Gid(5, 1), new Gid(5, 2));
        assertThat(port.guids()).containsExactly(1L, 2L);
        assertThatThrownBy(() -> port.withGuids(List.of())).hasMessageContaining("gids: 0");
    }

    @Test
    void aPathThatIsInUseKeepsItsGidAndTheNextOneHasTheNewOne() {
        TransportQueuePair left = (TransportQueuePair) duo.left();
        Path path = Objects.requireNonNull(left.path);
        Gid before = path.source();
        Gid after = Gid.parse("192.0.2.77");
        device(LEFT).changePort(port -> port.withGids(List.of(after)));
        assertThat(left.path).isSameAs(path);
        assertThat(path.source()).isEqualTo(before);
        var next = device(LEFT).engine().paths.acquire(path.address());
        assertThat(next.source()).isEqualTo(after);

        // The old one ends without taking the new one's place.
        duo.left().close();
        assertThat(device(LEFT).engine().paths.acquire(next.address())).isSameAs(next);
    }

    @Test
    void aCarrierThatKnowsAPortByItsGidsRefusesOthers() {
        try (TransportDevice device = new Loopback(1).open("a")) {
            assertThatThrownBy(() -> device.changePort(port -> port.withSubnetPrefix(1)))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("GIDs");
            assertThat(device.gids(1).getFirst().high()).isNotEqualTo(1);
        }
    }

    @Test
    void theSubnetManagerReachesAPortWhosePartitionTableIsWrong() {
        TransportDevice device = device(LEFT);
        List<Long> seen = new ArrayList<>();
        ManagementOutlet outlet =
                device(RIGHT).manage(Management.SUBNET, 1, (nowNs, from, bytes, at) -> true);
        device.manage(Management.SUBNET, 1, (nowNs, from, bytes, at) -> seen.add(nowNs));
        device.changePort(port -> port.withPartitionKeys(List.of(0)));
        outlet.send(
                Address.to(device.gids(1).getFirst()),
                bytes -> {
                    BigEndian.put8(bytes, 0, Mad.BASE_VERSION);
                    BigEndian.put8(bytes, 1, 1);
                });
        duo.pair.settle();
        assertThat(seen).hasSize(1);
    }

    @Test
    void aPortKeepsItsLinkAndMtu() {
        PortAttributes other =
                new PortAttributes(
                        1, PortState.ACTIVE, device(LEFT).port(1).linkLayer(), 0, 4096, 1024, 0);
        assertThatThrownBy(() -> device(LEFT).changePort(port -> port.withAttributes(other)))
                .hasMessageContaining("mtu");
    }
}
