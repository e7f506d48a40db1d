package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.transport.pair.Congestion;
import dev.verbena.transport.schedule.Dcqcn;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Cnp;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Two devices and a path that marks packets: the notifications and their effects.
class CongestionTest {
    private static final long LINE = 40_000_000_000L;
    private static final int BYTES = 1 << 20;
    private static final Gid LEFT = Gid.parse("192.0.2.1");
    private static final Gid RIGHT = Gid.parse("192.0.2.2");
    private static final Gid STRANGER = Gid.parse("192.0.2.3");
    private static final CongestionSettings SETTINGS = CongestionSettings.published(LINE);

    private static final Access[] REMOTE = {Access.REMOTE_WRITE, Access.REMOTE_READ};

    private long nowNs;
    private final Way there = new Way(LEFT, RIGHT);
    private final Way back = new Way(RIGHT, LEFT);

    /// Hands packets over at once, and marks those that may be.
    private final class Way implements TransmitSink {
        private final Gid to;
        private final OutboundPacket packet =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
        private final MemorySegment payload = Arena.ofAuto().allocate(4096);
        private final InboundPacket inbound = new InboundPacket();
        private @Nullable TransportDevice target;
        private boolean marks;
        private int packets;
        private int notices;
        private int echoes;
        private int ecn;
        private int dscp;
        private Gid source;

        Way(Gid from, Gid to) {
            this.to = to;
            source = from;
        }

        @Override
        public OutboundPacket next() {
            return packet;
        }

        @Override
        public void accept(OutboundPacket filled) {
            packets++;
            ecn = filled.ecn();
            filled.copyPayload(payload, 0);
            inbound.verdict(
                    inbound.view()
                            .wrapApart(
                                    filled.header(),
                                    0,
                                    filled.headerLength(),
                                    payload,
                                    0,
                                    filled.payloadLength()));
            if (inbound.view().opcode() == Opcode.CNP) {
                notices++;
                dscp = filled.path().address().trafficClass() >> 2;
            }
            if (inbound.view().opcode().operation() == Operation.ACKNOWLEDGE
                    && Bth.becn(filled.header(), 0)) {
                echoes++;
            }
            boolean isMarked = marks && ecn == Congestion.CAPABLE;
            inbound.from(0, source).to(to).ecn(isMarked ? Congestion.EXPERIENCED : ecn);
            if (target != null) {
                target.handlePacket(nowNs, inbound);
            }
        }
    }

    /// One side with a queue pair.
    private static final class Side {
        final TransportDevice device;
        final MemoryRegion region;
        final QueuePair pair;

        Side(Gid gid, QueuePairType type, boolean controls) {
            this(gid, type, options -> controls ? options.congestion(SETTINGS) : options);
        }

        Side(Gid gid, QueuePairType type, UnaryOperator<TransportOptions> changes) {
            TransportOptions options =
                    new TransportOptions(new SplittableRandom(gid.low()), new FrozenDriver())
                            .gids(List.of(gid));
            device = TransportDevice.create(changes.apply(options));
            ProtectionDomain domain = device.protectionDomain();
            CompletionQueue queue = device.completionQueue(16);
            region = domain.allocate(BYTES, Access.LOCAL_WRITE, REMOTE[0], REMOTE[1]);
            Set<Access> rights =
                    type == QueuePairType.RC ? Set.of(REMOTE) : Set.of(Access.REMOTE_WRITE);
            pair = domain.queuePair(type, it -> it.completions(queue).access(rights));
        }

        long count(Counter counter) {
            return device.engine().counters.value(counter);
        }

        Dcqcn control() {
            return (Dcqcn) ((TransportQueuePair) pair).rate();
        }
    }

    private void connect(Side left, Side right) {
        left.pair.connect(right.pair.endpoint());
        right.pair.connect(left.pair.endpoint());
        there.target = right.device;
        back.target = left.device;
    }

    private void write(Side left, Side right) {
        left.pair
                .sends()
                .write(right.region.address(), right.region.remoteKey())
                .local(left.region, 0, BYTES)
                .post();
    }

    /// Lets both send for a while, a microsecond at a time.
    private void run(Side left, Side right, long microseconds) {
        long endNs = nowNs + microseconds * 1_000;
        for (; nowNs < endNs; nowNs += 1_000) {
            left.device.handleTimeout(nowNs);
            left.device.pollTransmit(nowNs, ~0, 1 << 20, there);
            right.device.handleTimeout(nowNs);
            right.device.pollTransmit(nowNs, ~0, 1 << 20, back);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairType.class,
            names = {"RC", "UC"})
    void marksAreToldToTheSenderNotTooOftenAndItSlowsDown(QueuePairType type) {
        Side left = new Side(LEFT, type, true);
        Side right = new Side(RIGHT, type, true);
        connect(left, right);
        there.marks = true;
        write(left, right);
        run(left, right, 200);

        assertThat(right.count(Counter.RECEIVED_MARK)).isEqualTo(there.packets - there.notices);
        // At 0, 50, 100 and 150 microseconds.
        assertThat(back.notices).isEqualTo(4);
        assertThat(back.dscp).isEqualTo(48);
        assertThat(right.count(Counter.SENT_NOTICE)).isEqualTo(4);
        assertThat(left.count(Counter.RECEIVED_NOTICE)).isEqualTo(4);
        assertThat(left.control().rate()).isLessThan(LINE / 8.0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersToAReadSlowDownAsWell(boolean answersOnly) {
        Side left = new Side(LEFT, QueuePairType.RC, true);
        Side right = new Side(RIGHT, QueuePairType.RC, true);
        left.pair.connect(right.pair.endpoint());
        if (answersOnly) {
            // Ready to receive and no more: that is enough to be read from.
            Endpoint reader = left.pair.endpoint();
            right.pair.modify(
                    QueuePairState.INIT, it -> it.partitionIndex(0).port(1).access(Set.of(REMOTE)));
            right.pair.modify(
                    QueuePairState.READY_TO_RECEIVE,
                    it ->
                            it.address(Address.to(LEFT))
                                    .pathMtu(reader.mtu())
                                    .peerQueuePair(reader.queuePair())
                                    .receivePsn(reader.psn())
                                    .readsAsResponder(1)
                                    .minRnrTimer(1));
        } else {
            right.pair.connect(left.pair.endpoint());
        }
        there.target = right.device;
        back.target = left.device;
        back.marks = true;
        left.pair
                .sends()
                .read(right.region.address(), right.region.remoteKey())
                .local(left.region, 0, BYTES)
                .post();
        run(left, right, 200);

        assertThat(there.notices).isEqualTo(4);
        assertThat(right.count(Counter.RECEIVED_NOTICE)).isEqualTo(4);
        assertThat(right.control().rate()).isLessThan(LINE / 8.0);
        // At the rate of the line nearly all 256 would have left.
        assertThat(right.count(Counter.SENT_READ_RESPONSE)).isBetween(16L, 100L);
        assertThat(right.count(Counter.PACE_STALL)).isPositive();
    }

    /// A mark slows the sender down once, and not with each acknowledgement that follows.
    @Test
    void anAcknowledgementEchoesTheMarksSinceTheLastOneOnly() {
        ControlChoice swift =
                ControlChoice.named("swift", new ControlFacts(LINE, 4096, 10_000), Map.of());
        Side left = new Side(LEFT, QueuePairType.RC, options -> options.control(swift));
        Side right = new Side(RIGHT, QueuePairType.RC, options -> options.control(swift));
        connect(left, right);
        there.marks = true;
        write(left, right);
        run(left, right, 2_000);
        assertThat(((TransportQueuePair) left.pair).sender().isInFlight()).isFalse();
        int echoed = back.echoes;
        assertThat(echoed).isPositive();

        there.marks = false;
        int acknowledged = back.packets;
        write(left, right);
        run(left, right, 2_000);
        assertThat(((TransportQueuePair) left.pair).sender().isInFlight()).isFalse();
        assertThat(back.packets).isGreaterThan(acknowledged);
        assertThat(back.echoes).isEqualTo(echoed);
    }

    @Test
    void theSameControllerRecoversWhenTheMarksEnd() {
        Side left = new Side(LEFT, QueuePairType.RC, true);
        Side right = new Side(RIGHT, QueuePairType.RC, true);
        connect(left, right);
        there.marks = true;
        write(left, right);
        run(left, right, 40);
        there.marks = false;
        Dcqcn alone = new Dcqcn(SETTINGS, 0, 10_000);
        alone.congested(0);
        run(left, right, 3_000);
        alone.resumed(nowNs);
        assertThat(back.notices).isEqualTo(1);
        left.control().resumed(nowNs);
        assertThat(left.control().rate()).isEqualTo(alone.rate()).isEqualTo(LINE);
    }

    @Test
    void withoutControlNothingIsMarkedOrNotifiedAndNotificationsAreIgnored() {
        Side left = new Side(LEFT, QueuePairType.RC, false);
        Side right = new Side(RIGHT, QueuePairType.RC, true);
        connect(left, right);
        there.marks = true;
        write(left, right);
        run(left, right, 100);
        assertThat(right.count(Counter.RECEIVED_MARK)).isZero();

        // A peer that controls congestion tells one that does not.
        back.marks = true;
        write(right, left);
        run(left, right, 100);
        assertThat(left.count(Counter.RECEIVED_MARK)).isZero();
        assertThat(left.count(Counter.SENT_NOTICE)).isZero();
    }

    @Test
    void aNotificationFromAnotherHostIsIgnored() {
        Side left = new Side(LEFT, QueuePairType.RC, true);
        Side right = new Side(RIGHT, QueuePairType.RC, true);
        connect(left, right);
        there.marks = true;
        back.source = STRANGER;
        write(left, right);
        run(left, right, 100);
        assertThat(back.notices).isPositive();
        assertThat(left.count(Counter.RECEIVED_NOTICE)).isZero();
        assertThat(left.count(Counter.DROPPED_SOURCE)).isPositive();
        assertThat(left.control().rate()).isEqualTo(LINE);
    }

    @Test
    void aClosedQueuePairSendsNoNotifications() {
        Side left = new Side(LEFT, QueuePairType.RC, true);
        Side right = new Side(RIGHT, QueuePairType.RC, true);
        connect(left, right);
        there.marks = true;
        write(left, right);
        left.device.pollTransmit(nowNs, ~0, 1 << 14, there);
        right.pair.close();
        right.device.pollTransmit(nowNs, ~0, 1 << 14, back);
        assertThat(back.notices).isZero();
        right.device.close();
    }

    /// A forger who knows addresses, queue pair and partition slows no idle queue pair down.
    @Test
    void aNotificationWithoutAPacketThatCanHaveBeenMarkedIsIgnored() {
        Side left = new Side(LEFT, QueuePairType.RC, true);
        Side right = new Side(RIGHT, QueuePairType.RC, true);
        connect(left, right);
        there.marks = true;
        write(left, right);
        run(left, right, 200);
        there.marks = false;
        run(left, right, 20_000);
        assertThat(((TransportQueuePair) left.pair).sender().isInFlight()).isFalse();
        long handled = left.count(Counter.RECEIVED_NOTICE);
        assertThat(handled).isPositive();
        double rate = left.control().rate();

        InboundPacket forged = notice(left, RIGHT);
        for (int i = 0; i < 1_000; i++) {
            left.device.handlePacket(nowNs, forged);
        }
        // The first one may be about packets that were sent after the last true one.
        assertThat(left.count(Counter.RECEIVED_NOTICE)).isLessThanOrEqualTo(handled + 1);
        assertThat(left.count(Counter.IGNORED_NOTICE)).isGreaterThanOrEqualTo(999);
        assertThat(left.control().rate()).isGreaterThanOrEqualTo(rate / 2);
    }

    private static InboundPacket notice(Side to, Gid from) {
        MemorySegment bytes = Arena.ofAuto().allocate(Cnp.TRANSPORT_LENGTH, 8);
        int partition = to.device.partitionKeys(1).getFirst();
        Cnp.putHeader(bytes, 0, partition, to.pair.number());
        InboundPacket packet = new InboundPacket();
        packet.verdict(packet.view().wrapTransport(bytes, 0, Cnp.TRANSPORT_LENGTH));
        return packet.from(0, from.high(), from.low()).to(to.device.gids(1).getFirst());
    }
}
