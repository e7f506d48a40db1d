package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.pair.InboundMessage;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.ReceiveSide;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.pair.WritePacket;
import dev.verbena.transport.work.Placement;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;

/// The side that carries out the peer's requests, in their order, each once (IBA 9.7.4, 9.7.5).
///
/// Checks come in the order of the specification: sequence number, opcode in its place, operation
/// allowed, resources, length, key; only then is a byte moved.
public final class Responder implements ReceiveSide {
    final QueuePairCore pair;
    final ReliableService service;
    final InboundMessage message;
    final ResponseQueue responses;

    private ReceiveOrder order;
    private int expectedPsn;

    /// Messages carried out, modulo 2^24.
    private int msn;

    Responder(QueuePairCore pair, ReliableService service) {
        this.pair = pair;
        this.service = service;
        this.message = new InboundMessage(pair, service.holds);
        this.responses = new ResponseQueue(pair, service);
        this.order = service.order(this, null);
    }

    @Override
    public void reset() {
        message.abandon(false);
        responses.reset();
        msn = 0;
        order.reset();
    }

    @Override
    public long placed() {
        return message.placed();
    }

    @Override
    public void startAt(int psn) {
        expectedPsn = psn;
        order = service.order(this, order);
        order.reset();
        responses.reads.start(pair.settings().readsAsResponder());
    }

    @Override
    public void resize(int reads) {
        responses.reads.resize(reads);
    }

    @Override
    public void silence() {
        responses.reset();
    }

    @Override
    public boolean hasWork() {
        return responses.hasWork();
    }

    @Override
    public void acknowledgementDue() {
        responses.due();
    }

    @Override
    public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        return responses.transmit(nowNs, budgetBytes, sink, this);
    }

    public int expectedPsn() {
        return expectedPsn;
    }

    /// Whether a repetition of the READ or atomic with this number would be answered again.
    public boolean remembers(int psn) {
        return responses.reads.find(psn) >= 0;
    }

    ReceiveOrder order() {
        return order;
    }

    int msn() {
        return msn;
    }

    /// Receive requests for messages that the MSN does not count yet, the open one among them.
    int receivesAhead() {
        return pair.receiveQueue().count() + (message.holdsReceive() ? 1 : 0);
    }

    @Override
    public void handle(long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        int ahead = Psn.distance(view.psn(), expectedPsn);
        if (ahead > 0) {
            order.ahead(nowNs, packet);
        } else if (ahead < 0) {
            duplicate(nowNs, packet);
        } else {
            expected(nowNs, packet);
        }
    }

    /// IBA 9.7.5.1.4: never carried out again; acknowledged again, or answered from memory.
    private void duplicate(long nowNs, InboundPacket packet) {
        service.counters.add(Counter.DUPLICATE_REQUEST);
        PacketView view = packet.view();
        if (packet.verdict() != Verdict.OK) {
            // The request that was executed before was well formed; this packet is not a repetition
            // of it.
            service.counters.add(Counter.FORGOTTEN_DUPLICATE);
            return;
        }
        switch (view.opcode().operation()) {
            case READ_REQUEST -> duplicateRead(view);
            case COMPARE_SWAP, FETCH_ADD -> duplicateAtomic(view);
            default -> responses.acknowledge(nowNs, true);
        }
    }

    private void duplicateRead(PacketView view) {
        ReadResources reads = responses.reads;
        long entry = reads.find(view.psn());
        if (entry >= 0 && !reads.isAtomic(entry)) {
            long at = view.at(ExtendedHeader.RETH);
            long done =
                    (long) Psn.distance(view.psn(), reads.firstPsn(entry))
                            << pair.settings().mtuShift();
            // The rest of the original request, and nothing else.
            if (Reth.rkey(view.segment(), at) == reads.key(entry)
                    && Reth.address(view.segment(), at) == reads.address(entry) + done
                    && Reth.lengthBytes(view.segment(), at) == reads.length(entry) - done) {
                service.counters.add(Counter.REPLAYED_READ);
                reads.replay(entry, view.psn());
                responses.answersReady();
                return;
            }
        }
        service.counters.add(Counter.FORGOTTEN_DUPLICATE);
    }

    private void duplicateAtomic(PacketView view) {
        ReadResources reads = responses.reads;
        long entry = reads.find(view.psn());
        if (entry >= 0 && reads.isAtomic(entry)) {
            service.counters.add(Counter.REPLAYED_ATOMIC);
            reads.replay(entry, view.psn());
            responses.answersReady();
        } else {
            service.counters.add(Counter.FORGOTTEN_DUPLICATE);
        }
    }

    private void expected(long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        Operation operation = view.opcode().operation();
        order.expected();
        responses.recovered();
        if (packet.verdict() != Verdict.OK) {
            refuse(message.invalid(Counter.REFUSED_FORM), view.psn());
            return;
        }
        if (!message.expects(operation)) {
            refuse(message.invalid(Counter.REFUSED_ORDER), view.psn());
            return;
        }
        int outcome = carryOut(operation, view);
        if (outcome == InboundMessage.NOT_READY) {
            // The packet stays the expected one.
            order.refused();
            responses.refuse(AethSyndrome.RNR_NAK | pair.settings().minRnrTimer(), view.psn());
        } else if (outcome != InboundMessage.DONE) {
            refuse(outcome, view.psn());
        } else {
            if (view.isAckRequest() && !isAnsweredWithData(operation)) {
                responses.acknowledge(nowNs, false);
            }
            order.advanced(nowNs);
        }
    }

    /// Carries out a packet whose bytes were placed when it came; false when it is refused.
    boolean carryOutPlaced(WritePacket packet) {
        if (!message.expects(packet.operation())) {
            refuse(message.invalid(Counter.REFUSED_ORDER), expectedPsn);
            return false;
        }
        int outcome = counted(message.write(packet, null), packet.operation());
        if (outcome == InboundMessage.NOT_READY) {
            responses.refuse(AethSyndrome.RNR_NAK | pair.settings().minRnrTimer(), expectedPsn);
        } else if (outcome != InboundMessage.DONE) {
            refuse(outcome, expectedPsn);
        }
        return outcome == InboundMessage.DONE;
    }

    private int carryOut(Operation operation, PacketView view) {
        if (operation.isWrite()) {
            return counted(order.write(operation, view), operation);
        }
        if (operation.isSend()) {
            return counted(message.send(operation, view), operation);
        }
        return switch (operation) {
            case READ_REQUEST -> read(view);
            case COMPARE_SWAP, FETCH_ADD -> atomic(operation, view);
            default -> message.invalid(Counter.REFUSED_FORM);
        };
    }

    /// Whether the peer may have one more READ or atomic answered; [InboundMessage#DONE] if so.
    private int admit(Access right) {
        if (!pair.settings().allows(right)) {
            return message.invalid(Counter.REFUSED_OPERATION);
        }
        return responses.reads.hasRoom()
                ? InboundMessage.DONE
                : message.invalid(Counter.REFUSED_READS);
    }

    /// Counts a packet of a SEND or WRITE that was carried out.
    private int counted(int outcome, Operation operation) {
        if (outcome == InboundMessage.DONE) {
            expectPast(1);
            if (operation.endsMessage()) {
                msn = Psn.plus(msn, 1);
            }
        }
        return outcome;
    }

    private void expectPast(int packets) {
        expectedPsn = Psn.plus(expectedPsn, packets);
        responses.reads.expects(expectedPsn);
    }

    private int read(PacketView view) {
        int problem = admit(Access.REMOTE_READ);
        if (problem != InboundMessage.DONE) {
            return problem;
        }
        long at = view.at(ExtendedHeader.RETH);
        MemorySegment segment = view.segment();
        long length = Reth.lengthBytes(segment, at);
        if (length > WorkSlab.MAX_LENGTH) {
            return message.invalid(Counter.REFUSED_LENGTH);
        }
        int key = Reth.rkey(segment, at);
        long address = Reth.address(segment, at);
        if (length > 0
                && service.holds.memory.access(key, pair, Access.REMOTE_READ, address, length)
                        == null) {
            return AethSyndrome.NAK_REMOTE_ACCESS;
        }
        service.counters.add(Counter.RECEIVED_READS);
        int packets = RequestWriter.packets(length, pair.settings().mtuShift());
        responses.reads.addRead(expectedPsn, packets, address, key, length);
        responses.answersReady();
        expectPast(packets);
        msn = Psn.plus(msn, 1);
        return InboundMessage.DONE;
    }

    private int atomic(Operation operation, PacketView view) {
        MemorySegment segment = view.segment();
        long at = view.at(ExtendedHeader.ATOMIC_ETH);
        long address = AtomicEth.address(segment, at);
        int problem = admit(Access.REMOTE_ATOMIC);
        if (problem != InboundMessage.DONE) {
            return problem;
        }
        // IBA 9.7.4.1.5: eight bytes at a multiple of eight.
        if ((address & 7) != 0) {
            return message.invalid(Counter.REFUSED_ALIGNMENT);
        }
        TransportRegion region =
                service.holds.memory.access(
                        AtomicEth.rkey(segment, at),
                        pair,
                        Access.REMOTE_ATOMIC,
                        address,
                        Long.BYTES);
        MemorySegment bytes = region == null ? null : region.bytes();
        if (region == null || bytes == null) {
            return AethSyndrome.NAK_REMOTE_ACCESS;
        }
        long offset = address - region.base;
        long operand = AtomicEth.swapOrAdd(segment, at);
        long original;
        try {
            original =
                    operation == Operation.FETCH_ADD
                            ? Placement.fetchAndAdd(bytes, offset, operand)
                            : Placement.compareAndSwap(
                                    bytes, offset, AtomicEth.compare(segment, at), operand);
        } catch (IllegalStateException closedScope) {
            service.counters.add(Counter.LOCAL_PROTECTION);
            return AethSyndrome.NAK_REMOTE_OPERATION;
        }
        service.counters.add(Counter.RECEIVED_ATOMICS);
        responses.reads.addAtomic(expectedPsn, original);
        responses.answersReady();
        expectPast(1);
        msn = Psn.plus(msn, 1);
        return InboundMessage.DONE;
    }

    /// The memory of a READ may no longer be read, in the middle of its answer.
    void refuseAccess(int psn) {
        refuse(AethSyndrome.NAK_REMOTE_ACCESS, psn);
    }

    /// Refuses a request for good: the queue pair fails with it (IBA 9.7.5.2.5 and following).
    private void refuse(int syndrome, int psn) {
        responses.refuse(syndrome, psn);
        AsyncEvent.Type type =
                switch (syndrome) {
                    case AethSyndrome.NAK_REMOTE_ACCESS -> AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR;
                    case AethSyndrome.NAK_REMOTE_OPERATION -> AsyncEvent.Type.QUEUE_PAIR_FATAL;
                    default -> AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR;
                };
        pair.tell(
                type,
                "%s refused a request of its peer: %s"
                        .formatted(pair, AethSyndrome.words(syndrome)));
        pair.failAfterAnswering();
    }

    @Override
    public void flushMessage() {
        message.abandon(true);
    }

    private static boolean isAnsweredWithData(Operation operation) {
        return switch (operation) {
            case READ_REQUEST, COMPARE_SWAP, FETCH_ADD -> true;
            default -> false;
        };
    }
}
