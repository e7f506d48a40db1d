package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.schedule.TimerKind;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.transport.schedule.Transmitter;
import dev.verbena.wire.AckCredits;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Psn;

/// The responses that a responder owes its peer, in the order of sequence numbers: responses with
/// data first, then one acknowledgement or NAK, which covers all earlier requests.
final class ResponseQueue {
    private static final int NOTHING_OWED = -1;

    private final QueuePairCore pair;
    private final ReliableService service;
    final ReadResources reads = new ReadResources();

    /// Syndrome of a NAK that is owed.
    private int nak = NOTHING_OWED;

    private int nakPsn;

    /// Requests that asked for an acknowledgement since the last one.
    private int asked;

    private boolean isDue;

    ResponseQueue(QueuePairCore pair, ReliableService service) {
        this.pair = pair;
        this.service = service;
    }

    void reset() {
        nak = NOTHING_OWED;
        asked = 0;
        isDue = false;
        reads.stop();
    }

    /// An acknowledgement was asked for: at once, or within the bounds of coalescing.
    void acknowledge(long nowNs, boolean atOnce) {
        asked++;
        if (atOnce || asked >= service.settings.ackEvery || service.settings.ackDelayNs == 0) {
            due();
        } else if (pair.deadline(TimerKind.ACKNOWLEDGE) == TimerQueue.NEVER) {
            service.counters.add(Counter.DELAYED_ACK);
            pair.deadline(TimerKind.ACKNOWLEDGE, nowNs + service.settings.ackDelayNs);
        }
    }

    void due() {
        isDue = true;
        pair.wake();
    }

    void refuse(int syndrome, int psn) {
        nak = syndrome;
        nakPsn = psn;
        pair.wake();
    }

    /// The packet that was missing has come; a NAK for it that has not left yet is pointless.
    void recovered() {
        nak = NOTHING_OWED;
    }

    void answersReady() {
        pair.wake();
    }

    boolean hasWork() {
        return isDue || nak != NOTHING_OWED || reads.hasNext();
    }

    /// Sends one packet; returns its bytes, or why there is none.
    int transmit(long nowNs, int budgetBytes, TransmitSink sink, Responder responder) {
        if (reads.hasNext()) {
            return transmitAnswer(nowNs, budgetBytes, sink, responder);
        }
        if (nak == NOTHING_OWED && !isDue) {
            return Transmitter.NOTHING;
        }
        boolean refuses = nak != NOTHING_OWED;
        if (!refuses && responder.order() instanceof AnyOrder order && order.hasEarly()) {
            return transmitSelective(budgetBytes, sink, responder, order);
        }
        int length = ResponseWriter.acknowledgementLength(pair);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        OutboundPacket packet = sink.next();
        int psn = refuses ? nakPsn : Psn.plus(acknowledgedPsn(responder), -keptBack());
        int syndrome = refuses ? nak : grant(responder);
        service.responseWriter.acknowledge(packet, pair, psn, syndrome, responder.msn());
        count(syndrome);
        nak = NOTHING_OWED;
        acknowledged();
        Packets.finish(service.counters, sink, packet);
        return length;
    }

    /// An acknowledgement of all that is carried out, and of packets before their turn.
    private int transmitSelective(
            int budgetBytes, TransmitSink sink, Responder responder, AnyOrder order) {
        int length = ResponseWriter.selectiveLength(pair);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        OutboundPacket packet = sink.next();
        int psn = acknowledgedPsn(responder);
        service.responseWriter.select(packet, pair, psn, grant(responder), responder.msn(), order);
        service.counters.add(Counter.SENT_SACK);
        asked = 0;
        acknowledged();
        Packets.finish(service.counters, sink, packet);
        return length;
    }

    /// The last sequence number that an acknowledgement without data covers. A READ or an atomic is
    /// not included: only its own response carries its data, and Linux rxe takes an acknowledgement
    /// with the number of an atomic, or of a READ of one packet, for the end of that request,
    /// without its data. So repeated WRITEs that a READ followed are acknowledged as if the READ
    /// had not arrived yet.
    private int acknowledgedPsn(Responder responder) {
        return reads.beforeReads(Psn.plus(responder.expectedPsn(), -1));
    }

    /// Acknowledgements that are sent after the next one, where each is.
    private int keptBack() {
        return service.settings.acknowledgesEach ? Math.max(0, asked - 1) : 0;
    }

    private int transmitAnswer(
            long nowNs, int budgetBytes, TransmitSink sink, Responder responder) {
        ResponseWriter writer = service.responseWriter;
        int length = writer.choose(pair, reads);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        // A rate that the program has set is for its own requests; congestion concerns all it
        // sends.
        boolean keepsRate = service.settings.congestion != null;
        if (keepsRate && !pair.isPaced(nowNs)) {
            return Transmitter.NOTHING;
        }
        OutboundPacket packet = sink.next();
        if (!writer.write(packet, pair, reads, grant(responder), responder.msn())) {
            if (reads.skipReplay()) {
                // The peer may have had the answer long ago, and the key withdrawn since.
                service.counters.add(Counter.FORGOTTEN_DUPLICATE);
                return transmit(nowNs, budgetBytes, sink, responder);
            }
            int psn = reads.nextPsn();
            reads.stop();
            responder.refuseAccess(psn);
            return transmit(nowNs, budgetBytes, sink, responder);
        }
        if (!reads.isAtomic(reads.next())) {
            service.counters.add(Counter.SENT_READ_RESPONSE);
        }
        if (keepsRate) {
            pair.paced(nowNs, length);
        }
        int answered = Psn.plus(reads.nextPsn(), 1);
        reads.advance();
        boolean saysAll = nak == NOTHING_OWED && !responder.order().hasEarly();
        if (!reads.hasNext() && saysAll && answered == responder.expectedPsn()) {
            acknowledged();
        }
        Packets.finish(service.counters, sink, packet);
        return length;
    }

    private void acknowledged() {
        if (service.settings.acknowledgesEach && asked > 1) {
            asked--;
            return;
        }
        if (asked > 1) {
            service.counters.add(Counter.COALESCED_ACK);
        }
        asked = 0;
        isDue = false;
        pair.deadline(TimerKind.ACKNOWLEDGE, TimerQueue.NEVER);
    }

    /// IBA 9.7.7.2: how many receives are posted for messages after those counted by the MSN.
    private int grant(Responder responder) {
        // IBA 9.7.7.2: receives that others may take first are no promise.
        return service.settings.endToEndCredits && !pair.takesSharedReceives()
                ? AethSyndrome.ACK | AckCredits.code(responder.receivesAhead())
                : AethSyndrome.ACK_UNLIMITED;
    }

    private void count(int syndrome) {
        service.counters.add(
                switch (AethSyndrome.kind(syndrome)) {
                    case RNR_NAK -> Counter.SENT_RNR;
                    case NAK ->
                            switch (syndrome) {
                                case AethSyndrome.NAK_SEQUENCE -> Counter.SENT_NAK_SEQUENCE;
                                case AethSyndrome.NAK_REMOTE_ACCESS -> Counter.SENT_NAK_ACCESS;
                                case AethSyndrome.NAK_REMOTE_OPERATION ->
                                        Counter.SENT_NAK_OPERATION;
                                default -> Counter.SENT_NAK_INVALID;
                            };
                    default -> Counter.SENT_ACK;
                });
    }
}
