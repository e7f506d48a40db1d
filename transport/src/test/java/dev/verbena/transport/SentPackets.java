package dev.verbena.transport;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.manage.Management;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Looks at every packet that leaves the device under attack, and remembers those since it was
/// cleared.
final class SentPackets implements TransmitSink {
    /// Whether a queue pair may let its peer see these bytes.
    interface Permit {
        boolean mayLeave(int queuePair, Operation operation, long address, int length);
    }

    private static final int MOST = 256;
    private static final int PAYLOAD_MAX = 4096;

    private final OutboundPacket packet =
            new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
    private final Permit permit;
    private final BystanderConnection bystander;
    private final Operation[] operations = new Operation[MOST];
    private final int[] psns = new int[MOST];
    private final int[] destinations = new int[MOST];
    private final int[] syndromes = new int[MOST];
    private final int[] lengths = new int[MOST];
    private final long[] values = new long[MOST];
    private final boolean[] isTaken = new boolean[MOST];
    private final Address[] places = new Address[MOST];
    private final MemorySegment payloads = Arena.ofAuto().allocate((long) MOST * PAYLOAD_MAX);
    private final PacketView view = new PacketView();
    private final DeviceUnderAttack world;
    private int count;

    SentPackets(DeviceUnderAttack world) {
        this.world = world;
        this.permit = world::mayLeave;
        this.bystander = world.bystander;
    }

    /// A packet as it arrived at a peer, ICRC included; returns the address that it was for.
    Gid take(MemorySegment bytes, int length) {
        Verdict verdict = view.wrapTransport(bytes, 0, length);
        if (!verdict.isOk()) {
            throw new AssertionError("a packet that is none left: " + verdict);
        }
        Target target = world.byPeer(Bth.destQp(bytes, 0));
        Opcode opcode = Opcode.of(Bth.opcode(bytes, 0));
        int at = Bth.LENGTH + opcode.headersLength();
        int payload = length - at - Icrc.LENGTH - Bth.padCount(bytes, 0);
        boolean mayLeave =
                payload == 0
                        || world.mayShow(
                                target.pair.number(), opcode.operation(), bytes, at, payload);
        if (!mayLeave) {
            throw new AssertionError(
                    "%s of %s carries %d bytes, which its peer may not see"
                            .formatted(opcode, target.pair, payload));
        }
        MemorySegment.copy(bytes, at, payloads, (long) count * PAYLOAD_MAX, payload);
        isTaken[count] = true;
        remember(bytes, payload, 0);
        return target.peer.gid();
    }

    @Override
    public OutboundPacket next() {
        return packet;
    }

    @Override
    public void accept(OutboundPacket out) {
        if (out.queuePair() == Management.GENERAL) {
            management(out);
            return;
        }
        MemorySegment header = out.header();
        Operation operation = Opcode.of(Bth.opcode(header, 0)).operation();
        for (int i = 0; i < out.pieces(); i++) {
            long address = out.segment(i).address() + out.offset(i);
            if (!permit.mayLeave(out.queuePair(), operation, address, out.length(i))) {
                throw new AssertionError(
                        "%s of qp 0x%x carries %d bytes of 0x%x, which its peer may not see"
                                .formatted(operation, out.queuePair(), out.length(i), address));
            }
        }
        if (bystander.isIts(out.queuePair())) {
            bystander.fromVictim(out);
            return;
        }
        isTaken[count] = false;
        remember(
                header,
                out.payloadLength(),
                out.pieces() == 0 ? 0 : out.segment(0).address() + out.offset(0));
    }

    /// A management datagram contains no registered memory.
    private void management(OutboundPacket out) {
        MemorySegment field = world.field.bytes();
        for (int i = 0; i < out.pieces(); i++) {
            long at = out.segment(i).address() + out.offset(i) - field.address();
            if (at >= 0 && at < field.byteSize()) {
                throw new AssertionError("a management datagram shows byte %d".formatted(at));
            }
        }
        out.copyPayload(payloads, (long) count * PAYLOAD_MAX);
        isTaken[count] = true;
        places[count] = out.path().address();
        remember(out.header(), out.payloadLength(), 0);
    }

    /// What a management datagram says.
    CmMad message(int index) {
        long at = (long) index * PAYLOAD_MAX;
        if (places[index] == null || !CmMessage.check(payloads, at, lengths[index]).isOk()) {
            throw new AssertionError("no management datagram left: " + this);
        }
        return CmMad.parse(payloads, at);
    }

    /// Where a management datagram goes.
    Address place(int index) {
        return places[index];
    }

    private void remember(MemorySegment header, int length, long address) {
        Operation operation = Opcode.of(Bth.opcode(header, 0)).operation();
        boolean hasAeth = Opcode.of(Bth.opcode(header, 0)).has(ExtendedHeader.AETH);
        operations[count] = operation;
        psns[count] = Bth.psn(header, 0);
        destinations[count] = Bth.destQp(header, 0);
        syndromes[count] = hasAeth ? Aeth.syndrome(header, Bth.LENGTH) : -1;
        lengths[count] = length;
        if (operation == Operation.ATOMIC_ACKNOWLEDGE) {
            values[count] = AtomicAckEth.original(header, Bth.LENGTH + Aeth.LENGTH);
        } else {
            values[count] = address;
        }
        count++;
        if (count == MOST) {
            throw new AssertionError("one packet made " + MOST + " answers");
        }
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    Operation operation(int index) {
        return operations[index];
    }

    int psn(int index) {
        return psns[index];
    }

    int destination(int index) {
        return destinations[index];
    }

    int syndrome(int index) {
        return syndromes[index];
    }

    int length(int index) {
        return lengths[index];
    }

    /// The value of an atomic's answer.
    long value(int index) {
        return values[index];
    }

    /// Whether the payload is that of this address: the very bytes, or a copy of them.
    boolean carries(int index, MemorySegment memory, long address) {
        if (!isTaken[index]) {
            return values[index] == address;
        }
        long at = (long) index * PAYLOAD_MAX;
        long from = address - memory.address();
        return MemorySegment.mismatch(
                        payloads, at, at + lengths[index], memory, from, from + lengths[index])
                < 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ");
            text.append(
                    "%s 0x%x syndrome 0x%x of %d bytes"
                            .formatted(operations[i], psns[i], syndromes[i], lengths[i]));
        }
        return count == 0 ? "nothing" : text.toString();
    }
}
