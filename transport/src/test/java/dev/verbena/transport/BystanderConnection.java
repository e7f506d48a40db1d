package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A bystander connection of the device under attack, with a real peer: some of its work is always
/// under way, and none of it may be disturbed.
final class BystanderConnection implements TransmitSink {
    private static final int ONE_PACKET = 4200;

    /// Steps that a round of work may take, ten times what it needs.
    private static final int PATIENCE = 400;

    private final TransportDevice victim;
    private final TransportDevice neighbour;
    private final CanaryMemory field;
    private final AttackRegion area;
    private final AttackRegion local;
    private final MemoryRegion memory;
    private final CompletionQueue near;
    private final CompletionQueue far;
    private final QueuePair here;
    private final QueuePair there;
    private final AttackFrames toVictim;
    private final AttackFrames toNeighbour;
    private final OutboundPacket packet =
            new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
    private final int mtu;

    private long nowNs;
    private int outstanding;
    private int steps;
    private long written;
    private long received;
    private long read;
    long rounds;
    long packets;

    BystanderConnection(
            TransportDevice victim,
            ProtectionDomain domain,
            TransportDevice neighbour,
            CanaryMemory field,
            AttackPath path,
            AttackFrames.Node victimAt,
            AttackFrames.Node at,
            int mtu) {
        this.victim = victim;
        this.field = field;
        this.mtu = mtu;
        this.neighbour = neighbour;
        area =
                new AttackRegion(
                        "bystander's",
                        domain.register(
                                field.cut(4L * mtu, 0),
                                Access.REMOTE_WRITE,
                                Access.REMOTE_READ,
                                Access.REMOTE_ATOMIC));
        local =
                new AttackRegion(
                        "bystander's own",
                        domain.register(field.cut(4L * mtu, 0), Access.LOCAL_WRITE));
        ProtectionDomain farDomain = neighbour.protectionDomain();
        memory = farDomain.allocate(8L * mtu, Access.REMOTE_READ, Access.LOCAL_WRITE);
        near = victim.completionQueue(16);
        far = neighbour.completionQueue(16);
        here = domain.queuePair(QueuePairType.RC, o -> o.completions(near));
        there = farDomain.queuePair(QueuePairType.RC, o -> o.completions(far));
        here.connect(there.endpoint(), a -> a.pathMtu(mtu).timeout(path.timeout()));
        there.connect(here.endpoint(), a -> a.pathMtu(mtu).timeout(path.timeout()));
        toVictim = new AttackFrames(path.shape(), at, victimAt);
        toNeighbour = new AttackFrames(path.shape(), victimAt, at);
    }

    boolean isIts(int queuePair) {
        return queuePair == here.number();
    }

    boolean mayLeave(Operation operation, long address, int length) {
        return operation.isResponse() ? area.holds(address, length) : local.holds(address, length);
    }

    int number() {
        return here.number();
    }

    int key() {
        return area.key;
    }

    /// Moves its work on by a packet, or begins a new round of it.
    void step(long now) {
        nowNs = now;
        if (outstanding == 0) {
            begin();
        }
        neighbour.pollTransmit(nowNs, CarrierScript.ALL_CLASSES, ONE_PACKET, this);
        collect(near);
        collect(far);
        steps++;
        if (outstanding == 0) {
            end();
        } else if (steps > PATIENCE) {
            throw new AssertionError(
                    "a bystander connection stands still: %s and %s, %d requests left"
                            .formatted(here.state(), there.state(), outstanding));
        }
    }

    /// Whether some of the work of a round is not done.
    boolean isBusy() {
        return outstanding > 0;
    }

    /// Begins a round of work on a network that carries it to its end unseen.
    void beginAll() {
        begin();
        MemorySegment bytes = memory.segment();
        field.allow(area.address + 8, bytes, 0, 2L * mtu + 5);
        field.allow(area.address, field.word(area.address) + 7);
        field.allow(local.address, bytes, 0, mtu + 9L);
        field.allow(local.address + 2L * mtu, bytes, 0, mtu + 1L);
    }

    /// Looks at what has become of it.
    void endAll() {
        collect(near);
        collect(far);
        if (outstanding == 0) {
            end();
        }
    }

    private void begin() {
        steps = 0;
        written = 0;
        received = 0;
        read = 0;
        MemorySegment bytes = memory.segment();
        bytes.set(ValueLayout.JAVA_LONG, 0, rounds * 0x9E37_79B9_7F4A_7C15L + 1);
        here.postReceive(b -> b.receive(local.region.slice(0, 2L * mtu)));
        there.postReceive(b -> b.receive(memory.slice(6L * mtu, 16)));
        there.post(
                b ->
                        b.write(area.address + 8, area.key)
                                .local(memory, 0, 2L * mtu + 5)
                                .signaled()
                                .fetchAndAdd(area.address, area.key, 7)
                                .local(memory, 5L * mtu, 8)
                                .signaled()
                                .read(area.address, area.key)
                                .local(memory, 3L * mtu, mtu + 3)
                                .signaled()
                                .send()
                                .local(memory, 0, mtu + 9)
                                .signaled());
        here.post(
                b ->
                        b.read(memory.address(), memory.remoteKey())
                                .local(local.region, 2L * mtu, mtu + 1)
                                .signaled()
                                .send()
                                .local(local.region, 3L * mtu + 64, 16)
                                .signaled());
        outstanding = 8;
    }

    private void collect(CompletionQueue queue) {
        Completion completion = queue.poll();
        while (completion != null) {
            if (completion.status() != CompletionStatus.SUCCESS) {
                throw new AssertionError("a bystander request ended with " + completion.status());
            }
            outstanding--;
            completion = queue.poll();
        }
    }

    private void end() {
        rounds++;
        long mismatch =
                MemorySegment.mismatch(
                        memory.segment(),
                        3L * mtu,
                        3L * mtu + mtu + 3,
                        area.region.segment(),
                        0,
                        mtu + 3);
        if (mismatch >= 0) {
            throw new AssertionError("a bystander READ brought a wrong byte at " + mismatch);
        }
        if (here.state() != QueuePairState.READY_TO_SEND
                || there.state() != QueuePairState.READY_TO_SEND
                || neighbour.engine().counters.value(Counter.RETRANSMITTED) != 0) {
            throw new AssertionError("a bystander connection was disturbed: " + this);
        }
    }

    @Override
    public OutboundPacket next() {
        return packet;
    }

    /// A packet of the neighbour goes to the victim; what it is meant to change may change.
    @Override
    public void accept(OutboundPacket out) {
        Operation operation = Opcode.of(Bth.opcode(out.header(), 0)).operation();
        int length = out.payloadLength();
        encode(out, toVictim);
        long at = toVictim.transportAt + (long) out.headerLength();
        if (operation.isWrite()) {
            field.allow(area.address + 8 + written, toVictim.bytes, at, length);
            written += length;
        } else if (operation.isSend()) {
            field.allow(local.address + received, toVictim.bytes, at, length);
            received += length;
        } else if (operation == Operation.FETCH_ADD) {
            field.allow(area.address, field.word(area.address) + 7);
        } else if (operation.isResponse() && length > 0) {
            field.allow(local.address + 2L * mtu + read, toVictim.bytes, at, length);
            read += length;
        }
        packets++;
        victim.handlePacket(nowNs, toVictim.receive());
    }

    /// A packet of the victim goes to the neighbour.
    void fromVictim(OutboundPacket out) {
        encode(out, toNeighbour);
        packets++;
        neighbour.handlePacket(nowNs, toNeighbour.receive());
    }

    private static void encode(OutboundPacket out, AttackFrames frames) {
        int at = frames.transportAt;
        MemorySegment.copy(out.header(), 0, frames.bytes, at, out.headerLength());
        int payloadAt = at + out.headerLength();
        out.copyPayload(frames.bytes, payloadAt);
        int end = payloadAt + out.payloadLength();
        for (int i = 0; i < out.padCount(); i++) {
            frames.bytes.set(ValueLayout.JAVA_BYTE, end + i, (byte) 0);
        }
        frames.seal(end + out.padCount() + Icrc.LENGTH - at);
    }

    void close() {
        neighbour.close();
    }

    @Override
    public String toString() {
        return "%s %s, %s %s".formatted(here, here.state(), there, there.state());
    }
}
