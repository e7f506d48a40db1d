package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.work.TransportCompletionQueue;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Reth;
import org.jspecify.annotations.Nullable;

/// The SEND or WRITE that is being received: the destination of its bytes, and the actions at its
/// end.
///
/// Placing bytes is separate from delivering the message: a packet is placed by its offset, and
/// only the end of the message, in order, makes a completion.
public final class InboundMessage {
    /// The packet was carried out.
    public static final int DONE = 0;

    /// The packet needs a receive request and there is none.
    public static final int NOT_READY = 1;

    private enum Open {
        NOTHING,
        SEND,
        WRITE
    }

    private final QueuePairCore pair;
    private final WorkHolds holds;
    private Open open = Open.NOTHING;

    /// Bytes placed so far, and those of the messages before.
    private long placed;

    private long before;

    /// Receive request of a SEND; of a connection that is not reliable also one that a broken
    /// message has left over.
    private int receive = WorkSlab.NIL;

    /// Target of a WRITE: where it starts, how long it will be, under which key.
    private int key;

    private long start;
    private long announced;

    public InboundMessage(QueuePairCore pair, WorkHolds holds) {
        this.pair = pair;
        this.holds = holds;
    }

    /// Bytes that were placed, of all messages.
    public long placed() {
        return before + placed;
    }

    private void startPlacing() {
        before += placed;
        placed = 0;
    }

    /// Whether the open message holds a receive request already.
    public boolean holdsReceive() {
        return receive != WorkSlab.NIL;
    }

    public boolean isOpen() {
        return open != Open.NOTHING;
    }

    private boolean canReceive() {
        return holdsReceive() || pair.receiveQueue().count() > 0;
    }

    private int takeReceive() {
        int left = receive;
        receive = WorkSlab.NIL;
        return left == WorkSlab.NIL ? pair.takeReceive() : left;
    }

    /// Whether an operation is allowed now (IBA 9.7.4.1.2): a message does not begin inside
    /// another, and continues with the operation that it began with.
    public boolean expects(Operation operation) {
        if (operation.startsMessage()) {
            return open == Open.NOTHING;
        }
        return open == (operation.isSend() ? Open.SEND : Open.WRITE);
    }

    /// Carries out a packet of a SEND; returns [#DONE], [#NOT_READY] or the syndrome of a NAK.
    public int send(Operation operation, PacketView view) {
        if (operation.startsMessage()) {
            if (!canReceive()) {
                return NOT_READY;
            }
            receive = takeReceive();
            startPlacing();
            open = Open.SEND;
        }
        int length = view.payloadLength();
        if (!fitsMtu(operation, length)) {
            holds.counters.add(Counter.REFUSED_LENGTH);
            return refuse(AethSyndrome.NAK_INVALID_REQUEST, CompletionStatus.LOCAL_LENGTH_ERROR);
        }
        if (placed + length > holds.work.length(receive)) {
            holds.counters.add(Counter.TOO_LONG_MESSAGE);
            return refuse(AethSyndrome.NAK_INVALID_REQUEST, CompletionStatus.LOCAL_LENGTH_ERROR);
        }
        if (!holds.placement.scatter(receive, placed, view)) {
            holds.counters.add(Counter.LOCAL_PROTECTION);
            return refuse(
                    AethSyndrome.NAK_REMOTE_OPERATION, CompletionStatus.LOCAL_PROTECTION_ERROR);
        }
        placed += length;
        return operation.endsMessage() ? deliverSend(view) : DONE;
    }

    private int deliverSend(PacketView view) {
        int flags = solicited(view);
        int extra = 0;
        if (view.has(ExtendedHeader.IMM_DT)) {
            extra = ImmDt.data(view.segment(), view.at(ExtendedHeader.IMM_DT));
            flags |= TransportCompletionQueue.IMMEDIATE;
        } else if (view.has(ExtendedHeader.IETH)) {
            extra = Ieth.rkey(view.segment(), view.at(ExtendedHeader.IETH));
            flags |= TransportCompletionQueue.INVALIDATED;
            if (!holds.memory.invalidate(extra, pair)) {
                holds.counters.add(Counter.DENIED_INVALIDATE);
                return refuse(
                        AethSyndrome.NAK_REMOTE_ACCESS, CompletionStatus.REMOTE_INVALID_REQUEST);
            }
            holds.counters.add(Counter.INVALIDATED_BY_PEER);
        }
        holds.counters.add(Counter.RECEIVED_SENDS);
        int slot = receive;
        close();
        pair.reporter().completeReceive(slot, CompletedOperation.RECEIVE, placed, flags, extra);
        return DONE;
    }

    /// Carries out a packet of a WRITE; returns [#DONE], [#NOT_READY] or the syndrome of a NAK.
    public int write(Operation operation, PacketView view) {
        boolean immediate = view.has(ExtendedHeader.IMM_DT);
        if (operation.startsMessage() && !pair.settings().allows(Access.REMOTE_WRITE)) {
            return invalid(Counter.REFUSED_OPERATION);
        }
        if (immediate && !canReceive()) {
            return NOT_READY;
        }
        int length = view.payloadLength();
        if (!fitsMtu(operation, length)) {
            return invalid(Counter.REFUSED_LENGTH);
        }
        if (operation.startsMessage()) {
            int problem = beginWrite(view);
            if (problem != DONE) {
                return problem;
            }
        }
        boolean last = operation.endsMessage();
        // A Last or Only packet completes exactly the length in the RETH; other packets leave some.
        long left = announced - placed - length;
        if (last ? left != 0 : left <= 0) {
            return invalid(Counter.REFUSED_LENGTH);
        }
        // IBA 9.7.4.1.4: without a byte to move, neither key nor address is looked at.
        if (length > 0) {
            int problem = place(view, last);
            if (problem != DONE) {
                return problem;
            }
        }
        placed += length;
        if (last) {
            int data = immediate ? ImmDt.data(view.segment(), view.at(ExtendedHeader.IMM_DT)) : 0;
            deliverWrite(immediate, data, solicited(view));
        }
        return DONE;
    }

    /// Carries out a packet that says itself where it belongs, when its turn has come; its bytes
    /// are those of the view, or placed already. Returns [#DONE], [#NOT_READY] or the syndrome of a
    /// NAK.
    public int write(WritePacket packet, @Nullable PacketView bytes) {
        Operation operation = packet.operation;
        if (operation.startsMessage() && !pair.settings().allows(Access.REMOTE_WRITE)) {
            return invalid(Counter.REFUSED_OPERATION);
        }
        if (packet.isImmediate() && !canReceive()) {
            return NOT_READY;
        }
        if (!fitsMtu(operation, packet.length) || !packet.fitsRest()) {
            return invalid(Counter.REFUSED_LENGTH);
        }
        if (operation.startsMessage()) {
            startPlacing();
            key = packet.key;
            start = packet.address;
            announced = packet.rest;
            open = Open.WRITE;
        } else if (packet.key != key
                || packet.address != start + placed
                || packet.rest != announced - placed) {
            return invalid(Counter.REFUSED_ORDER);
        }
        if (bytes != null && packet.length > 0) {
            int problem = place(bytes, operation.endsMessage());
            if (problem != DONE) {
                return problem;
            }
        }
        placed += packet.length;
        if (operation.endsMessage()) {
            deliverWrite(
                    packet.isImmediate(),
                    packet.immediate,
                    packet.isSolicited ? TransportCompletionQueue.SOLICITED : 0);
        }
        return DONE;
    }

    /// Places the bytes of a packet before its turn; false when that is not allowed, which is for
    /// its turn to say.
    public boolean placeEarly(WritePacket packet, PacketView bytes) {
        Operation operation = packet.operation;
        if (!pair.settings().allows(Access.REMOTE_WRITE)
                || !fitsMtu(operation, packet.length)
                || !packet.fitsRest()) {
            return false;
        }
        if (packet.length == 0) {
            return true;
        }
        TransportRegion target =
                holds.memory.access(
                        packet.key, pair, Access.REMOTE_WRITE, packet.address, packet.rest);
        return target != null
                && holds.placement.write(
                        target, packet.address - target.base, bytes, operation.endsMessage());
    }

    private int beginWrite(PacketView view) {
        long at = view.at(ExtendedHeader.RETH);
        announced = Reth.lengthBytes(view.segment(), at);
        if (announced > WorkSlab.MAX_LENGTH) {
            return invalid(Counter.REFUSED_LENGTH);
        }
        startPlacing();
        key = Reth.rkey(view.segment(), at);
        start = Reth.address(view.segment(), at);
        open = Open.WRITE;
        return DONE;
    }

    private int place(PacketView view, boolean last) {
        // Asked with every packet, for the whole message: its key may be withdrawn in the middle.
        TransportRegion target =
                holds.memory.access(key, pair, Access.REMOTE_WRITE, start, announced);
        if (target == null) {
            return AethSyndrome.NAK_REMOTE_ACCESS;
        }
        if (!holds.placement.write(target, start - target.base + placed, view, last)) {
            holds.counters.add(Counter.LOCAL_PROTECTION);
            return AethSyndrome.NAK_REMOTE_OPERATION;
        }
        return DONE;
    }

    private void deliverWrite(boolean immediate, int data, int solicited) {
        holds.counters.add(Counter.RECEIVED_WRITES);
        open = Open.NOTHING;
        if (immediate) {
            int slot = takeReceive();
            int flags = TransportCompletionQueue.IMMEDIATE | solicited;
            pair.reporter()
                    .completeReceive(
                            slot, CompletedOperation.RECEIVE_WRITE_IMMEDIATE, placed, flags, data);
        }
    }

    /// The response to an invalid request, with the reason.
    public int invalid(Counter reason) {
        holds.counters.add(reason);
        return AethSyndrome.NAK_INVALID_REQUEST;
    }

    /// A receive request in use fails with the message; then the message is refused.
    private int refuse(int syndrome, CompletionStatus status) {
        if (pair.type() == QueuePairType.RC
                || pair.takesSharedReceives()
                || status == CompletionStatus.LOCAL_PROTECTION_ERROR) {
            int slot = receive;
            close();
            pair.reporter().failReceive(slot, status);
        }
        return syndrome;
    }

    /// Gives up an unfinished message of a connection that is not reliable (IBA 9.8.3): the next
    /// SEND takes the same receive request from its start. One of a shared queue is not kept from
    /// others, and completes in error.
    public void giveUp() {
        open = Open.NOTHING;
        if (holdsReceive() && pair.takesSharedReceives()) {
            int slot = receive;
            receive = WorkSlab.NIL;
            pair.reporter().failReceive(slot, CompletionStatus.REMOTE_ABORTED);
        }
    }

    /// Gives up an unfinished message, with a completion for its receive request when asked.
    public void abandon(boolean report) {
        int slot = receive;
        close();
        if (slot != WorkSlab.NIL) {
            if (report) {
                pair.reporter().flushReceive(slot);
            } else {
                pair.reporter().forgetReceive(slot);
            }
        }
    }

    private void close() {
        open = Open.NOTHING;
        receive = WorkSlab.NIL;
    }

    /// IBA 9.7.4.1.5: First and Middle are full, no packet is longer than the path MTU.
    private boolean fitsMtu(Operation operation, int length) {
        int mtu = 1 << pair.settings().mtuShift();
        return operation.endsMessage() ? length <= mtu : length == mtu;
    }

    private static int solicited(PacketView view) {
        return view.isSolicited() ? TransportCompletionQueue.SOLICITED : 0;
    }
}
