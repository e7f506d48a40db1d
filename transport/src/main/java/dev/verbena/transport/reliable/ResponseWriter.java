package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.memory.MemoryTable;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.work.Placement;
import dev.verbena.verbs.Access;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Writes the packets that answer requests: acknowledgements, READ responses, atomic results.
final class ResponseWriter {
    private static final Opcode ACKNOWLEDGE = of(Operation.ACKNOWLEDGE);
    private static final Opcode SELECTIVE =
            Opcode.of(Service.MANUFACTURER_6, Operation.SELECTIVE_ACKNOWLEDGE);
    private static final Opcode ATOMIC = of(Operation.ATOMIC_ACKNOWLEDGE);
    private static final Opcode READ_ONLY = of(Operation.READ_RESPONSE_ONLY);
    private static final Opcode READ_FIRST = of(Operation.READ_RESPONSE_FIRST);
    private static final Opcode READ_MIDDLE = of(Operation.READ_RESPONSE_MIDDLE);
    private static final Opcode READ_LAST = of(Operation.READ_RESPONSE_LAST);

    private final MemoryTable memory;
    private final Placement placement;
    private Opcode opcode = ACKNOWLEDGE;
    private int payload;
    private long offset;

    ResponseWriter(MemoryTable memory, Placement placement) {
        this.memory = memory;
        this.placement = placement;
    }

    static int acknowledgementLength(QueuePairCore pair) {
        return Packets.length(pair, ACKNOWLEDGE, 0);
    }

    static int selectiveLength(QueuePairCore pair) {
        return Packets.length(pair, SELECTIVE, 0);
    }

    void acknowledge(OutboundPacket packet, QueuePairCore pair, int psn, int syndrome, int msn) {
        acknowledge(packet, pair, ACKNOWLEDGE, psn, syndrome, msn);
    }

    /// The same, with a map of packets before their turn.
    void select(
            OutboundPacket packet,
            QueuePairCore pair,
            int psn,
            int syndrome,
            int msn,
            AnyOrder order) {
        acknowledge(packet, pair, SELECTIVE, psn, syndrome, msn);
        long extended = packet.headerAt() + Bth.LENGTH;
        order.tell(packet.header(), extended + SELECTIVE.offsetOf(ExtendedHeader.SACK_ETH));
    }

    private static void acknowledge(
            OutboundPacket packet,
            QueuePairCore pair,
            Opcode opcode,
            int psn,
            int syndrome,
            int msn) {
        Packets.start(packet, pair, opcode, 0, 0, psn);
        Aeth.put(packet.header(), packet.headerAt() + Bth.LENGTH, syndrome, msn);
        if (pair.owesMark) {
            pair.owesMark = false;
            Bth.putCongestion(packet.header(), packet.headerAt(), false, true);
        }
    }

    /// Chooses the next answer of a responder; returns its length from BTH through seal.
    int choose(QueuePairCore pair, ReadResources resources) {
        int mtuShift = pair.settings().mtuShift();
        long entry = resources.next();
        payload = 0;
        if (resources.isAtomic(entry)) {
            opcode = ATOMIC;
        } else {
            int index = Psn.distance(resources.nextPsn(), resources.firstPsn(entry));
            offset = (long) index << mtuShift;
            payload = (int) Math.min(1L << mtuShift, resources.length(entry) - offset);
            boolean start = resources.isRunStart();
            boolean end = resources.isRunEnd();
            opcode = start ? end ? READ_ONLY : READ_FIRST : end ? READ_LAST : READ_MIDDLE;
        }
        return Packets.length(pair, opcode, payload);
    }

    /// Fills the chosen answer; false when the memory may no longer be read.
    boolean write(
            OutboundPacket packet,
            QueuePairCore pair,
            ReadResources resources,
            int syndrome,
            int msn) {
        long entry = resources.next();
        TransportRegion region = null;
        if (payload > 0) {
            region = region(pair, resources, entry);
            if (region == null) {
                return false;
            }
        }
        Packets.start(packet, pair, opcode, 0, payload, resources.nextPsn());
        MemorySegment to = packet.header();
        long extended = packet.headerAt() + Bth.LENGTH;
        if (opcode.has(ExtendedHeader.AETH)) {
            Aeth.put(to, extended, syndrome, msn);
        }
        if (opcode.has(ExtendedHeader.ATOMIC_ACK_ETH)) {
            long field = extended + opcode.offsetOf(ExtendedHeader.ATOMIC_ACK_ETH);
            AtomicAckEth.put(to, field, resources.original(entry));
        }
        if (region == null) {
            return true;
        }
        long at = resources.address(entry) + offset - region.base;
        return placement.read(packet, region, at, payload);
    }

    /// Looked up for every packet: a key that is invalidated in the middle of a response ends it.
    private @Nullable TransportRegion region(
            QueuePairCore pair, ReadResources resources, long entry) {
        return memory.access(
                resources.key(entry),
                pair,
                Access.REMOTE_READ,
                resources.address(entry),
                resources.length(entry));
    }

    private static Opcode of(Operation operation) {
        return Opcode.of(Service.RC, operation);
    }
}
