package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.work.Placement;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RnrTimer;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.Verdict;

/// Handles the responses of the peer to the requests that wait for one (IBA 9.7.5, 9.7.6).
final class Completer {
    private final WorkSlab work;
    private final Placement placement;
    private final Counters counters;
    private final int readPackets;

    Completer(WorkHolds holds, int readPackets) {
        this.readPackets = readPackets;
        this.work = holds.work;
        this.placement = holds.placement;
        this.counters = holds.counters;
    }

    void handle(Requester requester, long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        int psn = view.psn();
        if (packet.verdict() == Verdict.OK && isReadAnswer(view.opcode().operation())) {
            requester.stillAnswered(nowNs, psn);
        }
        if (view.opcode().operation() == Operation.SELECTIVE_ACKNOWLEDGE) {
            selective(requester, nowNs, packet, psn);
            return;
        }
        if (!requester.pair.sendsRequests() || !requester.recovery().isOutstanding(psn)) {
            counters.add(Counter.GHOST_RESPONSE);
            if (isRepeatedAck(requester, packet, psn)) {
                takeCredits(requester, view);
            }
            return;
        }
        if (packet.verdict() != Verdict.OK) {
            badResponse(requester);
            return;
        }
        Operation operation = view.opcode().operation();
        if (operation == Operation.ACKNOWLEDGE) {
            acknowledgement(requester, nowNs, packet, psn);
            return;
        }
        // IBA 9.7.5.1.1: an answer with data acknowledges all that was sent before its request.
        if (!acknowledgeBefore(requester, nowNs, psn, isMarked(packet))) {
            return;
        }
        if (view.has(ExtendedHeader.AETH)) {
            takeCredits(requester, view);
        }
        if (operation == Operation.ATOMIC_ACKNOWLEDGE) {
            atomicAnswer(requester, nowNs, packet, psn);
        } else {
            readAnswer(requester, nowNs, packet, psn);
        }
    }

    /// Whether the peer says that a packet of ours arrived with a mark.
    private static boolean isMarked(InboundPacket packet) {
        PacketView view = packet.view();
        return Bth.becn(view.segment(), view.bthAt());
    }

    /// A responder may repeat its last acknowledgement to announce more receives.
    private static boolean isRepeatedAck(Requester requester, InboundPacket packet, int psn) {
        return packet.verdict() == Verdict.OK
                && packet.view().opcode().operation() == Operation.ACKNOWLEDGE
                && Psn.plus(psn, 1) == requester.unackedPsn();
    }

    private void acknowledgement(Requester requester, long nowNs, InboundPacket packet, int psn) {
        PacketView view = packet.view();
        int syndrome = Aeth.syndrome(view.segment(), view.at(ExtendedHeader.AETH));
        switch (AethSyndrome.kind(syndrome)) {
            case ACK -> {
                takeCredits(requester, view);
                acknowledgeBefore(requester, nowNs, Psn.plus(psn, 1), isMarked(packet));
            }
            case RNR_NAK -> {
                if (acknowledgeBefore(requester, nowNs, psn, isMarked(packet))) {
                    counters.add(Counter.RECEIVED_RNR);
                    long delayNs = RnrTimer.delayNs(AethSyndrome.value(syndrome));
                    requester.receiverNotReady(nowNs, delayNs);
                }
            }
            case NAK -> {
                if (acknowledgeBefore(requester, nowNs, psn, isMarked(packet))) {
                    refused(requester, nowNs, psn, syndrome);
                }
            }
            // A reserved code of a future version says nothing that we could act on.
            case RESERVED -> counters.add(Counter.GHOST_RESPONSE);
        }
    }

    /// An acknowledgement with a map: all up to its number is done, and more has come.
    private void selective(Requester requester, long nowNs, InboundPacket packet, int psn) {
        PacketView view = packet.view();
        if (!requester.pair.sendsRequests()
                || packet.verdict() != Verdict.OK
                || !requester.recovery().isExpected(start(view))) {
            counters.add(Counter.GHOST_RESPONSE);
            return;
        }
        counters.add(Counter.RECEIVED_SACK);
        takeCredits(requester, view);
        if (requester.recovery().isOutstanding(psn)) {
            acknowledgeBefore(requester, nowNs, Psn.plus(psn, 1), isMarked(packet));
        }
        requester.recovery().selected(nowNs, view);
    }

    private static int start(PacketView view) {
        return SackEth.start(view.segment(), view.at(ExtendedHeader.SACK_ETH));
    }

    private void refused(Requester requester, long nowNs, int psn, int syndrome) {
        switch (syndrome) {
            case AethSyndrome.NAK_SEQUENCE -> requester.recovery().sequenceNak(nowNs, psn);
            case AethSyndrome.NAK_INVALID_REQUEST -> {
                counters.add(Counter.REMOTE_INVALID);
                requester.failOldest(CompletionStatus.REMOTE_INVALID_REQUEST);
            }
            case AethSyndrome.NAK_REMOTE_ACCESS -> {
                counters.add(Counter.REMOTE_ACCESS);
                requester.failOldest(CompletionStatus.REMOTE_ACCESS_ERROR);
            }
            case AethSyndrome.NAK_REMOTE_OPERATION -> {
                counters.add(Counter.REMOTE_OPERATION);
                requester.failOldest(CompletionStatus.REMOTE_OPERATION_ERROR);
            }
            default -> badResponse(requester);
        }
    }

    private void takeCredits(Requester requester, PacketView view) {
        long at = view.at(ExtendedHeader.AETH);
        int syndrome = Aeth.syndrome(view.segment(), at);
        if (AethSyndrome.kind(syndrome) == AethSyndrome.Kind.ACK) {
            requester.credits(AethSyndrome.value(syndrome), Aeth.msn(view.segment(), at));
        }
    }

    /// Completes the requests that are acknowledged when everything before `psn` is. Returns false
    /// when this shows that a response with data was lost (IBA 9.7.5.1.3): then it is requested
    /// again.
    private boolean acknowledgeBefore(Requester requester, long nowNs, int psn, boolean isMarked) {
        int reached = requester.unackedPsn();
        boolean isComplete = true;
        while (Psn.distance(psn, reached) > 0) {
            int slot = requester.oldest();
            if (slot == WorkSlab.NIL) {
                throw new AssertionError("an outstanding sequence number has a request");
            }
            if (Work.isAnswered(work.kind(slot))) {
                // Its own answers move the acknowledged part through it, one by one: one is
                // missing.
                isComplete = false;
                break;
            }
            int end = Psn.plus(work.firstPsn(slot), requester.packetsOf(slot));
            if (Psn.distance(psn, end) < 0) {
                reached = psn;
            } else {
                requester.completeOldest();
                reached = end;
            }
        }
        requester.acknowledgedUpTo(nowNs, reached, isMarked);
        if (!isComplete) {
            requester.recovery().impliedNak(nowNs);
        }
        return isComplete;
    }

    private void readAnswer(Requester requester, long nowNs, InboundPacket packet, int psn) {
        int mtuShift = requester.pair.settings().mtuShift();
        PacketView view = packet.view();
        int slot = requester.oldest();
        int index = Psn.distance(psn, work.firstPsn(slot));
        int last = requester.packetsOf(slot) - 1;
        long offset = (long) index << mtuShift;
        long expected = index < last ? 1L << mtuShift : work.length(slot) - offset;
        // The last of what was asked for at once.
        boolean isEnd = RequestWriter.pieceFrom(index, last + 1, readPackets) == 1;
        if (work.kind(slot) != Work.READ
                || view.payloadLength() != expected
                || !fits(view.opcode().operation(), index, isEnd)) {
            badResponse(requester);
            return;
        }
        if (!placement.scatter(slot, offset, view)) {
            memoryGone(requester);
            return;
        }
        if (isEnd) {
            requester.answered();
        }
        if (index == last) {
            requester.completeOldest();
        }
        requester.acknowledgedUpTo(nowNs, Psn.plus(psn, 1), isMarked(packet));
    }

    private static boolean isReadAnswer(Operation operation) {
        return switch (operation) {
            case READ_RESPONSE_ONLY,
                    READ_RESPONSE_FIRST,
                    READ_RESPONSE_MIDDLE,
                    READ_RESPONSE_LAST ->
                    true;
            default -> false;
        };
    }

    /// Which opcode fits which place in an answer. An answer that was asked for again from its
    /// middle starts with First there; one of the first try has Middle: both carry the same bytes.
    private static boolean fits(Operation operation, int index, boolean isEnd) {
        return switch (operation) {
            case READ_RESPONSE_ONLY -> isEnd;
            case READ_RESPONSE_LAST -> isEnd && index > 0;
            case READ_RESPONSE_FIRST -> !isEnd;
            case READ_RESPONSE_MIDDLE -> index > 0 && !isEnd;
            default -> false;
        };
    }

    private void atomicAnswer(Requester requester, long nowNs, InboundPacket packet, int psn) {
        int slot = requester.oldest();
        PacketView view = packet.view();
        if (!Work.isAtomic(work.kind(slot))) {
            badResponse(requester);
            return;
        }
        long at = view.at(ExtendedHeader.ATOMIC_ACK_ETH);
        if (!placement.store(slot, AtomicAckEth.original(view.segment(), at))) {
            memoryGone(requester);
            return;
        }
        requester.answered();
        requester.completeOldest();
        requester.acknowledgedUpTo(nowNs, Psn.plus(psn, 1), isMarked(packet));
    }

    private void memoryGone(Requester requester) {
        counters.add(Counter.LOCAL_PROTECTION);
        requester.failOldest(CompletionStatus.LOCAL_PROTECTION_ERROR);
    }

    private void badResponse(Requester requester) {
        counters.add(Counter.BAD_RESPONSE);
        requester.failOldest(CompletionStatus.BAD_RESPONSE);
    }
}
