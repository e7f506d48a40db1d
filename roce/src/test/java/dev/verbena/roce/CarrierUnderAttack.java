package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Set;

/// A device with one region, one queue pair whose peer is the forger, and a bystander connection;
/// and a packet that would write into the region if it were let in.
final class CarrierUnderAttack implements AutoCloseable {
    /// Congestion bits, which the ICRC leaves out.
    static final int RESERVED_AT = 4;

    private static final int MTU = 1024;
    private static final int BYTES = 16;
    private static final int PEER_PAIR = 0x4711;
    private static final int PSN = 0x123456;
    private static final int PEER = 2;
    private static final long PATIENCE_NS = 20_000_000_000L;

    private final SocketAttackNetwork network;
    private final TransportDevice device;
    private final MemoryRegion region;
    private final QueuePair pair;
    private final QueuePair closed;
    private final BystanderConnection bystander;
    private final Gid from;
    private final MemorySegment packet = Arena.ofAuto().allocate(256, 8);
    private final MemorySegment arrived = Arena.ofAuto().allocate(1 << 16, 8);
    private int length;
    private long fired;

    CarrierUnderAttack(SocketAttackNetwork network) {
        this.network = network;
        from = network.address(PEER);
        device = network.open(1, MTU, 1, options -> {});
        var domain = device.protectionDomain();
        region = domain.allocate(4096, Access.REMOTE_WRITE);
        var completions = device.completionQueue(16);
        pair =
                domain.queuePair(
                        QueuePairType.RC,
                        it -> it.completions(completions).access(Set.of(Access.REMOTE_WRITE)));
        pair.connect(new Endpoint(0, from, PEER_PAIR, PSN, MTU, 4, network.peerPort()));
        closed = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
        closed.close();
        bystander = new BystanderConnection(device, network.open(9, MTU, 2, options -> {}));
    }

    SocketAttackNetwork network() {
        return network;
    }

    int pair() {
        return pair.number();
    }

    /// The number of a queue pair that was closed.
    int unused() {
        return closed.number();
    }

    boolean exists(int number) {
        return number == pair.number() || bystander.has(number);
    }

    MemorySegment packet() {
        return packet;
    }

    int length() {
        return length;
    }

    /// Makes the WRITE that the queue pair waits for, with the checksum of this identification;
    /// returns its length.
    int write(int queuePair, int identification) {
        int code = Operation.WRITE_ONLY.code();
        Bth.put(packet, 0, code, Bth.ACK_REQUEST, 0, 0xFFFF, queuePair, PSN);
        Reth.put(packet, Bth.LENGTH, region.address(), region.remoteKey(), BYTES);
        int at = Bth.LENGTH + Opcode.of(code).headersLength();
        for (int i = 0; i < BYTES; i++) {
            packet.set(ValueLayout.JAVA_BYTE, at + i, (byte) 0x5A);
        }
        length = at + BYTES + Icrc.LENGTH;
        int covered = length - Icrc.LENGTH;
        Icrc.store(packet, covered, network.computed(packet, 0, covered, from, identification));
        return length;
    }

    /// Changes a bit; false when the checksum is now that of a packet with another identification.
    boolean spoil(int at, byte bit) {
        packet.set(ValueLayout.JAVA_BYTE, at, (byte) (packet.get(ValueLayout.JAVA_BYTE, at) ^ bit));
        return network.isNoticed(packet, 0, length, from);
    }

    /// Sends the packet.
    void fire() {
        network.send(packet, 0, length, from, network.address(1));
        fired++;
        breathe();
    }

    /// Sends any bytes, from the peer.
    void fire(byte[] bytes) {
        network.send(network.sender(from), ByteBuffer.wrap(bytes));
        fired++;
        breathe();
    }

    /// Sends the packet as if another device at the same address had passed it on, to the device
    /// with this number, with a guess at what only those devices know.
    void firePassedOn(int slot, long secret) {
        MemorySegment both = Arena.ofAuto().allocate(Forwarding.HEADER + (long) length, 8);
        BigEndian.put8(both, 0, 0xFF);
        BigEndian.put8(both, Steering.AT, Steering.BETWEEN_US << 4 | slot);
        BigEndian.put64(both, 8, secret);
        BigEndian.put64(both, 16, from.high());
        BigEndian.put64(both, 24, from.low());
        BigEndian.put16(both, 32, network.port(network.sender(from)));
        MemorySegment.copy(packet, 0, both, Forwarding.HEADER, length);
        network.send(both, 0, (int) both.byteSize(), network.address(1), network.address(1));
        fired++;
        breathe();
    }

    void countTrain(int packets) {
        fired += packets;
        breathe();
    }

    /// So that no receive buffer overflows: a packet dropped there tests nothing.
    private void breathe() {
        if (fired % 16 == 0) {
            await();
        }
    }

    /// All that was sent has been looked at.
    private void await() {
        long before = -1;
        long endNs = System.nanoTime() + PATIENCE_NS;
        long now = device.counters().getOrDefault("rcvd_pkts", 0L);
        while (before != now && System.nanoTime() < endNs) {
            before = now;
            network.turn();
            now = device.counters().getOrDefault("rcvd_pkts", 0L);
        }
    }

    /// No byte of the region has changed, no packet was answered, and the bystander connection
    /// continues.
    void requireUntouched(String by) throws InterruptedException {
        bystander.requireUndisturbed();
        assertThat(region.segment().mismatch(Arena.ofAuto().allocate(region.length())))
                .as("the first byte changed by %s", by)
                .isNegative();
        assertThat(pair.state()).as("after %s", by).isEqualTo(QueuePairState.READY_TO_SEND);
        assertThat(network.receive(arrived)).as("bytes of an answer to %s", by).isZero();
    }

    /// The packet that everything else was like is let in.
    void requireAlive() {
        write(pair.number(), 0);
        fire();
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (region.segment().get(ValueLayout.JAVA_BYTE, 0) == 0
                || network.receive(arrived) == 0) {
            network.turn();
            assertThat(System.nanoTime()).as("time for a good packet").isLessThan(endNs);
        }
    }

    long fired() {
        return fired;
    }

    long innocentDone() {
        return bystander.done();
    }

    /// Sound packets to queue pairs that do not exist, as the device has counted them.
    long unknownPairs() {
        return device.counters().getOrDefault("rx_unknown_qp", 0L);
    }

    /// What the device says it has dropped.
    String drops() {
        var counters = device.counters();
        return "malformed %d, wrong checksum %d, unknown queue pair %d, not in time %d"
                .formatted(
                        counters.get("rx_malformed"),
                        counters.get("rx_icrc_encapsulated"),
                        counters.get("rx_unknown_qp"),
                        counters.get("socket_rx_drops"));
    }

    @Override
    public void close() {
        bystander.close();
        device.close();
        network.close();
    }
}
