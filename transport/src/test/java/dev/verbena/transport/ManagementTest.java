package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.ManagementAgent;
import dev.verbena.transport.carrier.ManagementOutlet;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.manage.Management;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Service;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.RejectReason;
import dev.verbena.wire.mad.ServiceId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Queue pairs 0 and 1: what they take, what they do not look at, and the agents behind them.
class ManagementTest {
    private static final Opcode SEND = Opcode.of(Service.UD, Operation.SEND_ONLY);
    private static final Gid HERE = Gid.parse("192.0.2.1");
    private static final Gid THERE = Gid.parse("192.0.2.2");
    private static final Gid GROUP = Gid.parse("224.0.0.1");

    /// Keeps the payload of the last packet.
    private static final class Sink implements TransmitSink {
        private final OutboundPacket packet =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
        private final MemorySegment payload = Arena.ofAuto().allocate(Mad.LENGTH_TOTAL);

        @Override
        public OutboundPacket next() {
            return packet;
        }

        @Override
        public void accept(OutboundPacket filled) {
            filled.copyPayload(payload, 0);
        }
    }

    private final TransportDevice device =
            TransportDevice.create(
                    new TransportOptions(new SplittableRandom(1), new FrozenDriver())
                            .gids(List.of(HERE)));
    private final InboundPacket packet = new InboundPacket();
    private final MemorySegment header = Arena.ofAuto().allocate(Bth.LENGTH + Deth.LENGTH);
    private final MemorySegment payload = Arena.ofAuto().allocate(Mad.LENGTH_TOTAL + 4);
    private Gid source = THERE;
    private int partition = 0xFFFF;
    private int key = Deth.GSI_QKEY;
    private int length = Mad.LENGTH_TOTAL;
    private int number = Management.GENERAL;

    ManagementTest() {
        CmReq request = CmReq.builder().serviceId(1).localQpn(17).build();
        CmMad.of(5, request).emit(payload, 0);
    }

    private void arrives() {
        arrivesAt(device);
    }

    private void arrivesAt(TransportDevice target) {
        Bth.put(header, 0, SEND.code(), 0, 0, partition, number, 0);
        Deth.put(header, Bth.LENGTH, key, number);
        packet.verdict(
                packet.view().wrapApart(header, 0, (int) header.byteSize(), payload, 0, length));
        packet.from(0, source).to(HERE);
        target.handlePacket(0, packet);
    }

    private long count(Counter counter) {
        return device.engine().counters.value(counter);
    }

    private void isDropped() {
        arrives();
        assertThat(count(Counter.DROPPED_MANAGEMENT)).isEqualTo(1);
        assertThat(count(Counter.RECEIVED_MANAGEMENT)).isZero();
        assertThat(device.pendingClasses()).isZero();
    }

    @Test
    void aRequestForAMissingServiceIsRefusedWithTheRightKeys() {
        arrives();
        Sink sink = new Sink();
        assertThat(device.pollTransmit(0, ~0, 4096, sink)).isEqualTo(1);

        assertThat(count(Counter.RECEIVED_MANAGEMENT)).isEqualTo(1);
        assertThat(sink.packet.path().address().gid()).isEqualTo(THERE);
        assertThat(Bth.destQp(sink.packet.header(), 0)).isEqualTo(Management.GENERAL);
        assertThat(Deth.qkey(sink.packet.header(), Bth.LENGTH)).isEqualTo(Deth.GSI_QKEY);
        assertThat(CmMessage.parse(sink.payload, 0))
                .isInstanceOfSatisfying(
                        CmRej.class,
                        it -> assertThat(it.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID));
    }

    @Test
    void aDatagramWithAnotherKeyIsDropped() {
        key = 0x1234_5678;
        isDropped();
    }

    @Test
    void aDatagramOfAnotherPartitionIsDropped() {
        partition = 0x8001;
        isDropped();
    }

    @Test
    void aDatagramFromAGroupIsDropped() {
        source = GROUP;
        isDropped();
    }

    @Test
    void aDatagramOfAnotherLengthIsDropped() {
        length = Mad.LENGTH_TOTAL - 4;
        isDropped();
    }

    @Test
    void anotherClassOfManagementIsNotServed() {
        BigEndian.put8(payload, 1, 3);
        isDropped();
    }

    /// Notes what it gets, and wants to be looked at once.
    private static final class Agent implements ManagementAgent {
        private final List<Address> senders = new ArrayList<>();
        private long dueNs = Long.MAX_VALUE;

        @Override
        public boolean handle(long nowNs, Address from, MemorySegment bytes, long at) {
            senders.add(from);
            dueNs = nowNs + 100;
            return Mad.method(bytes, at) == MadMethod.SEND;
        }

        @Override
        public long pollTimeout() {
            return dueNs;
        }

        @Override
        public void handleTimeout(long nowNs) {
            dueNs = Long.MAX_VALUE;
        }
    }

    @Test
    void anAgentTakesTheDatagramsOfItsClassAndAnswersFromItsQueuePair() {
        Agent agent = new Agent();
        ManagementOutlet outlet =
                device.manage(Management.SUBNET, ManagementClass.SUBNET_LID_ROUTED, agent);
        BigEndian.put8(payload, 1, ManagementClass.SUBNET_LID_ROUTED);
        number = Management.SUBNET;
        key = 0;
        arrives();
        assertThat(count(Counter.RECEIVED_MANAGEMENT)).isEqualTo(1);
        assertThat(agent.senders).extracting(Address::gid).containsExactly(THERE);

        outlet.send(agent.senders.getFirst(), bytes -> bytes.copyFrom(payload.asSlice(0, 256)));
        Sink sink = new Sink();
        assertThat(device.pollTransmit(0, ~0, 4096, sink)).isEqualTo(1);
        assertThat(Bth.destQp(sink.packet.header(), 0)).isEqualTo(Management.SUBNET);
        assertThat(Deth.qkey(sink.packet.header(), Bth.LENGTH)).isZero();
        assertThat(sink.payload.mismatch(payload.asSlice(0, 256))).isEqualTo(-1);
    }

    @Test
    void anAgentIsCalledWhenItsTimeHasCome() {
        Agent agent = new Agent();
        device.manage(Management.GENERAL, ManagementClass.PERFORMANCE, agent);
        BigEndian.put8(payload, 1, ManagementClass.PERFORMANCE);
        arrives();
        assertThat(device.pollTimeout()).isEqualTo(100);
        device.handleTimeout(99);
        assertThat(agent.dueNs).isEqualTo(100);
        device.handleTimeout(100);
        assertThat(device.pollTimeout()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anAgentGetsNothingOfAnotherClassOrToTheOtherQueuePair() {
        Agent agent = new Agent();
        device.manage(Management.SUBNET, ManagementClass.PERFORMANCE, agent);
        BigEndian.put8(payload, 1, ManagementClass.PERFORMANCE);
        arrives();
        number = Management.SUBNET;
        key = 0;
        BigEndian.put8(payload, 1, ManagementClass.SUBNET_ADMINISTRATION);
        arrives();
        assertThat(agent.senders).isEmpty();
        assertThat(count(Counter.DROPPED_MANAGEMENT)).isEqualTo(2);
    }

    @Test
    void anAgentThatWaitsWhenItIsRegisteredIsCalledInTime() {
        Agent agent = new Agent();
        agent.dueNs = 50;
        device.manage(Management.GENERAL, ManagementClass.PERFORMANCE, agent);
        assertThat(device.pollTimeout()).isEqualTo(50);
    }

    @Test
    void aDatagramOfAnAgentWakesTheCarrierButNotFromWithinItsOwnCalls() {
        AtomicInteger wakes = new AtomicInteger();
        TransportDevice woken =
                TransportDevice.create(
                        new TransportOptions(
                                        new SplittableRandom(1),
                                        new FrozenDriver() {
                                            @Override
                                            public void wake() {
                                                wakes.incrementAndGet();
                                            }
                                        })
                                .gids(List.of(HERE)));
        List<ManagementOutlet> outlets = new ArrayList<>();
        ManagementAgent echo =
                (nowNs, from, bytes, at) -> {
                    outlets.getFirst().send(from, copy -> copy.fill((byte) 1));
                    return true;
                };
        outlets.add(woken.manage(Management.GENERAL, ManagementClass.PERFORMANCE, echo));
        BigEndian.put8(payload, 1, ManagementClass.PERFORMANCE);
        arrivesAt(woken);
        assertThat(wakes).hasValue(0);
        outlets.getFirst().send(Address.to(THERE), copy -> copy.fill((byte) 2));
        assertThat(wakes).hasValue(1);
        assertThat(woken.pollTransmit(0, ~0, 4096, new Sink())).isEqualTo(2);
    }

    @Test
    void theConnectionManagerHasItsClassOnEveryDevice() {
        assertThatThrownBy(() -> device.manage(1, ManagementClass.COMMUNICATION, new Agent()))
                .hasMessageContaining("an agent already takes management class 0x07");
    }

    @Test
    void whatAnAgentFindsMalformedIsCountedAsDropped() {
        Agent agent = new Agent();
        device.manage(Management.GENERAL, ManagementClass.PERFORMANCE, agent);
        BigEndian.put8(payload, 1, ManagementClass.PERFORMANCE);
        BigEndian.put8(payload, 3, MadMethod.GET);
        isDropped();
        assertThat(agent.senders).hasSize(1);
    }

    @Test
    void queuePair0IsNotThereWithoutAnAgent() {
        number = Management.SUBNET;
        key = 0;
        arrives();
        assertThat(count(Counter.DROPPED_UNKNOWN_PAIR)).isEqualTo(1);
    }

    @Test
    void aClassHasOneAgent() {
        device.manage(Management.GENERAL, ManagementClass.PERFORMANCE, new Agent());
        assertThatThrownBy(() -> device.manage(1, ManagementClass.PERFORMANCE, new Agent()))
                .hasMessageContaining("an agent already takes management class 0x04");
        assertThatThrownBy(() -> device.manage(2, 4, new Agent()))
                .hasMessageContaining("no management by queue pair 2; use 0 or 1");
        assertThatThrownBy(() -> device.manage(1, 256, new Agent()))
                .hasMessageContaining("no management class 256; use 0 to 255");
    }

    @Test
    void portThatAnotherDeviceAtTheAddressHasIsRefusedUntilItIsFree() {
        AtomicBoolean isFree = new AtomicBoolean();
        List<Long> released = new ArrayList<>();
        Driver shared =
                new FrozenDriver() {
                    @Override
                    public boolean claimed(long serviceId) {
                        return isFree.get();
                    }

                    @Override
                    public void released(long serviceId) {
                        released.add(serviceId);
                    }
                };
        TransportDevice device =
                TransportDevice.create(
                        new TransportOptions(new SplittableRandom(1), shared).gids(List.of(HERE)));
        assertThatThrownBy(() -> device.listen(7471, 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("another device at this address listens at port 7471");

        isFree.set(true);
        device.listen(7471, 1).close();

        assertThat(released).containsExactly(ServiceId.ofTcp(7471));
    }
}
