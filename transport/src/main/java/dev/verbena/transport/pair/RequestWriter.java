package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.path.PathTable;
import dev.verbena.transport.work.Placement;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;

/// Writes request packets: which opcode, which headers, which bytes.
public final class RequestWriter {
    private static final int ONLY = 0;
    private static final int FIRST = 1;
    private static final int MIDDLE = 2;
    private static final int LAST = 3;

    /// By kind of work and by position in the message: only, first, middle, last.
    private static final Operation[][] OPERATIONS = {
        {Operation.SEND_ONLY, Operation.SEND_FIRST, Operation.SEND_MIDDLE, Operation.SEND_LAST},
        {
            Operation.SEND_ONLY_IMMEDIATE,
            Operation.SEND_FIRST,
            Operation.SEND_MIDDLE,
            Operation.SEND_LAST_IMMEDIATE
        },
        {
            Operation.SEND_ONLY_INVALIDATE,
            Operation.SEND_FIRST,
            Operation.SEND_MIDDLE,
            Operation.SEND_LAST_INVALIDATE
        },
        {Operation.WRITE_ONLY, Operation.WRITE_FIRST, Operation.WRITE_MIDDLE, Operation.WRITE_LAST},
        {
            Operation.WRITE_ONLY_IMMEDIATE,
            Operation.WRITE_FIRST,
            Operation.WRITE_MIDDLE,
            Operation.WRITE_LAST_IMMEDIATE
        },
        {Operation.READ_REQUEST},
        {Operation.COMPARE_SWAP},
        {Operation.FETCH_ADD}
    };

    private static final Opcode[][] RC = opcodes(QueuePairType.RC);
    private static final Opcode[][] SELECTIVE = selective();
    private static final Opcode[][] UC = opcodes(QueuePairType.UC);
    private static final Opcode[][] UD = opcodes(QueuePairType.UD);

    private final WorkSlab work;
    private final PathTable paths;
    private final Placement placement;
    private final int readPackets;

    private int slot;
    private int index;
    private int packets;
    private int mtuShift;
    private Opcode opcode = RC[Work.SEND][ONLY];
    private int payload;

    public RequestWriter(WorkHolds holds, int readPackets) {
        this.work = holds.work;
        this.paths = holds.paths;
        this.placement = holds.placement;
        this.readPackets = readPackets;
    }

    /// The number of sequence numbers that a request uses (IBA 9.7.2): a READ uses one for every
    /// packet of its response.
    public static int packets(WorkSlab work, int slot, int mtuShift) {
        if (Work.isAtomic(work.kind(slot))) {
            return 1;
        }
        return packets(work.length(slot), mtuShift);
    }

    /// Packets that a message takes; an empty one takes one too.
    public static int packets(long length, int mtuShift) {
        return length == 0 ? 1 : (int) ((length + (1L << mtuShift) - 1) >> mtuShift);
    }

    /// Packets of a READ's answer from this one to the end of what is asked for at once. Wherever a
    /// READ is repeated from, its pieces end at the same packets.
    public static int pieceFrom(int index, int packets, int pieceMax) {
        // The usual READ is short, and a division takes longer than all else here.
        return packets <= pieceMax
                ? packets - index
                : Math.min(packets - index, pieceMax - index % pieceMax);
    }

    /// Chooses a packet of a request; returns its length from BTH through seal.
    public int choose(QueuePairCore pair, int slotToSend, int packetIndex) {
        slot = slotToSend;
        index = packetIndex;
        mtuShift = pair.settings().mtuShift();
        int kind = work.kind(slot);
        packets = packets(work, slot, mtuShift);
        Opcode[] row = opcodesOf(pair)[kind];
        if (Work.isAnswered(kind)) {
            opcode = row[ONLY];
            payload = 0;
        } else {
            long rest = work.length(slot) - ((long) index << mtuShift);
            payload = (int) Math.min(1L << mtuShift, rest);
            opcode = row[position()];
        }
        return Packets.length(pair, opcode, payload);
    }

    /// Whether the chosen packet ends its request.
    public boolean isLast() {
        return index == packets - 1 || payload == 0;
    }

    /// Sequence numbers from the chosen packet on, when it is sent.
    public int sequenceNumbers() {
        return work.kind(slot) == Work.READ ? pieceFrom(index, packets, readPackets) : 1;
    }

    /// Fills the chosen packet; false when its memory is gone. In parts, each small enough for the
    /// compiler to inline it.
    public boolean write(OutboundPacket packet, QueuePairCore pair, int psn, boolean ackRequest) {
        start(packet, pair, psn, ackRequest);
        MemorySegment to = packet.header();
        long extended = packet.headerAt() + Bth.LENGTH;
        if (opcode.has(ExtendedHeader.RETH)) {
            writeRemote(to, extended + opcode.offsetOf(ExtendedHeader.RETH));
        } else if (opcode.has(ExtendedHeader.ATOMIC_ETH)) {
            writeAtomic(to, extended);
        }
        if (opcode.has(ExtendedHeader.IMM_DT)) {
            long field = extended + opcode.offsetOf(ExtendedHeader.IMM_DT);
            ImmDt.put(to, field, work.immediate(slot));
        } else if (opcode.has(ExtendedHeader.IETH)) {
            Ieth.put(to, extended, work.immediate(slot));
        }
        return payload == 0 || placement.gather(packet, slot, (long) index << mtuShift, payload);
    }

    /// Begins the packet: BTH, and for a datagram its path and DETH.
    private void start(OutboundPacket packet, QueuePairCore pair, int psn, boolean ackRequest) {
        int flags = (ackRequest ? Bth.ACK_REQUEST : 0) | (isSolicited() ? Bth.SOLICITED : 0);
        if (opcode.has(ExtendedHeader.DETH)) {
            Path way = paths.at(work.path(slot));
            int peer = work.target(slot);
            Packets.start(packet, pair, way, peer, opcode, flags, payload, psn);
            // IBA 10.2.5: with the highest bit set the sender's own key is shown.
            int asked = work.remoteKey(slot);
            int key = asked < 0 ? pair.settings().queueKey() : asked;
            Deth.put(packet.header(), packet.headerAt() + Bth.LENGTH, key, pair.number());
        } else {
            Packets.start(packet, pair, opcode, flags, payload, psn);
        }
    }

    private boolean isSolicited() {
        return isLast() && work.has(slot, Work.SOLICITED) && Work.usesReceive(work.kind(slot));
    }

    private void writeRemote(MemorySegment to, long at) {
        long done = (long) index << mtuShift;
        long rest = work.length(slot) - done;
        long asked = (long) sequenceNumbers() << mtuShift;
        long length = work.kind(slot) == Work.READ ? Math.min(asked, rest) : rest;
        Reth.put(to, at, work.remoteAddress(slot) + done, work.remoteKey(slot), length);
    }

    private void writeAtomic(MemorySegment to, long at) {
        AtomicEth.put(
                to,
                at,
                work.remoteAddress(slot),
                work.remoteKey(slot),
                work.operand(slot, 0),
                work.operand(slot, 1));
    }

    private int position() {
        if (packets == 1) {
            return ONLY;
        }
        return index == 0 ? FIRST : index == packets - 1 ? LAST : MIDDLE;
    }

    private static Opcode[][] opcodesOf(QueuePairCore pair) {
        return switch (pair.type()) {
            case RC -> pair.settings().isSelective() ? SELECTIVE : RC;
            case UC -> UC;
            case UD -> UD;
        };
    }

    /// Those of a reliable connection, but with WRITEs whose packets each say where they belong.
    private static Opcode[][] selective() {
        Opcode[][] table = RC.clone();
        for (int kind : new int[] {Work.WRITE, Work.WRITE_IMMEDIATE}) {
            Operation[] row = OPERATIONS[kind];
            table[kind] = new Opcode[row.length];
            for (int i = 0; i < row.length; i++) {
                table[kind][i] = Opcode.of(Service.MANUFACTURER_6, row[i]);
            }
        }
        return table;
    }

    /// The opcodes of a service; nothing where it lacks the kind of work.
    private static Opcode[][] opcodes(QueuePairType type) {
        Opcode[][] table = new Opcode[OPERATIONS.length][];
        for (int kind = 0; kind < table.length; kind++) {
            Operation[] operations = OPERATIONS[kind];
            int positions = type == QueuePairType.UD ? ONLY + 1 : operations.length;
            table[kind] = new Opcode[Work.isIn(type, kind) ? positions : 0];
            for (int i = 0; i < table[kind].length; i++) {
                table[kind][i] = Opcode.of(Packets.service(type), operations[i]);
            }
        }
        return table;
    }
}
