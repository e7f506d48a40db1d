package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.pair.SendSide;
import dev.verbena.transport.schedule.TimerKind;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.transport.schedule.Transmitter;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkQueue;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.wire.AckCredits;
import dev.verbena.wire.Psn;

/// The next packet of a reliable connection, and the progress of its acknowledgements.
public final class Requester extends AnswerTimer implements SendSide {
    /// No more sequence numbers may be outstanding than half of their space (IBA 9.7.2).
    private static final int MAX_OUTSTANDING = 1 << 23;

    /// The part of the window that must be free before a full one is open again: a fourth, or what
    /// one acknowledgement frees.
    private static final int REOPENS = 4;

    /// How long the peer may have no receive before that is reported.
    private static final int NOT_READY_MS = 1000;

    private static final int REPORTED = -1;
    private static final long MS = 1_000_000;

    private final WorkSlab work;
    private final WorkQueue queue;
    private LossRecovery recovery;

    /// The request to send from next, and which of its packets.
    private int current = WorkSlab.NIL;

    private int packet;
    private int readsInFlight;
    private boolean isFull;

    private int sinceAckRequest;

    /// Send sequence numbers: of the request posted last, and up to which the peer has receives.
    private int postedSequence;

    private int creditLimit;
    private boolean unlimitedCredit;

    private int rnrRetriesLeft;

    /// How often the peer has had no receive for the oldest request, or [#REPORTED], and since
    /// which millisecond.
    private int notReady;

    private int notReadySinceMs;
    private boolean isWaitingForReceiver;

    Requester(QueuePairCore pair, ReliableService service, WorkQueue queue) {
        super(pair, service);
        this.work = service.holds.work;
        this.queue = queue;
        this.recovery = service.recovery(this, null);
        reset();
    }

    @Override
    public void reset() {
        current = WorkSlab.NIL;
        packet = 0;
        readsInFlight = 0;
        sinceAckRequest = 0;
        postedSequence = 0;
        creditLimit = 0;
        unlimitedCredit = !service.settings.endToEndCredits;
        isWaitingForReceiver = false;
        probed();
    }

    @Override
    public void startAt(int psn) {
        recovery = service.recovery(this, recovery);
        recovery.startAt(psn);
        refillRnrRetries();
        settleRoom();
    }

    private void refillRnrRetries() {
        notReady = 0;
        rnrRetriesLeft = pair.settings().rnrRetry();
    }

    @Override
    public void handleResponse(long nowNs, InboundPacket packet) {
        service.completer.handle(this, nowNs, packet);
        recovery.judge(nowNs);
    }

    @Override
    LossRecovery recovery() {
        return recovery;
    }

    @Override
    public int unackedPsn() {
        return recovery.unackedPsn();
    }

    @Override
    public boolean isInFlight() {
        return recovery.isInFlight();
    }

    @Override
    public void posted(int first) {
        for (int slot = first; slot != WorkSlab.NIL; slot = work.next(slot)) {
            if (!Work.isLocal(work.kind(slot))) {
                postedSequence = Psn.plus(postedSequence, messagesOf(slot));
                work.sendSequence(slot, postedSequence);
            }
        }
        if (current == WorkSlab.NIL) {
            current = first;
            packet = 0;
        }
    }

    @Override
    public boolean hasWork() {
        return current != WorkSlab.NIL || wantsRepeat();
    }

    @Override
    public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        int again = wantsRepeat() ? recovery.repeat(nowNs, budgetBytes, sink) : 0;
        if (again != Transmitter.NOTHING) {
            return again;
        }
        if (!isReady(nowNs)) {
            giveUpRoom();
            return Transmitter.NOTHING;
        }
        int slot = current;
        int psn = recovery.sendPsn();
        RequestWriter writer = service.requestWriter;
        int length = writer.choose(pair, slot, packet);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        boolean isSecond = work.has(slot, Work.STARTED) && recovery.isRepetition();
        boolean ackRequest = wantsAck(writer, slot);
        OutboundPacket out = sink.next();
        if (!writer.write(out, pair, psn, ackRequest)) {
            failMemory(slot);
            giveUpRoom();
            return Transmitter.NOTHING;
        }
        start(slot);
        if (isSecond) {
            countRepetition(slot);
        }
        sinceAckRequest = ackRequest ? 0 : sinceAckRequest + 1;
        useRoom(writer.sequenceNumbers());
        recovery.sent(writer.sequenceNumbers(), ackRequest);
        advance(writer, slot);
        settleRoom();
        pair.paced(nowNs, length);
        if (ackRequest) {
            answerAsked(nowNs);
        }
        Packets.finish(service.counters, sink, out);
        return length;
    }

    /// Apart from [#transmit], which the compiler inlines only while it is small.
    private void countRepetition(int slot) {
        service.counters.add(Counter.RETRANSMITTED);
        if (packet > 0 && work.kind(slot) == Work.READ) {
            service.counters.add(Counter.RESTARTED_READ);
        }
    }

    /// Whether the next packet may go now. Runs requests that need no packet.
    private boolean isReady(long nowNs) {
        if (isWaitingForReceiver || !pair.sendsRequests()) {
            return false;
        }
        if (recovery.nextPsn() != recovery.sendPsn()) {
            seek(recovery.nextPsn());
        }
        while (current != WorkSlab.NIL) {
            boolean isNew = !work.has(current, Work.STARTED);
            if (isNew && pair.state() == QueuePairState.SEND_QUEUE_DRAINED) {
                return stall(Counter.DRAIN_HOLD);
            }
            if (!Work.isLocal(work.kind(current))) {
                return mayStart(isNew)
                        && pair.isSeen(nowNs)
                        && pair.isPaced(nowNs)
                        && fitsWindow(nowNs);
            }
            if (queue.head() != current) {
                return false;
            }
            carryOutLocally();
        }
        return false;
    }

    private boolean mayStart(boolean isNew) {
        if (packet > 0 && work.kind(current) != Work.READ) {
            return true;
        }
        if (packet == 0 && readsInFlight > 0 && work.has(current, Work.FENCE)) {
            return stall(Counter.FENCE_STALL);
        }
        int kind = work.kind(current);
        if (Work.isAnswered(kind) && readsInFlight >= pair.settings().readsAsInitiator()) {
            return stall(Counter.READ_STALL);
        }
        // IBA 9.7.7.2.5: one request may go beyond the credits, to find out whether there are more.
        if (isNew && !unlimitedCredit && Work.usesReceive(kind)) {
            int beyond = Psn.distance(work.sendSequence(current), creditLimit);
            // Only while a response is expected that may bring more credits.
            if (beyond > 1 && recovery.outstanding() > 0) {
                return stall(Counter.CREDIT_STALL);
            }
            if (beyond > 0) {
                service.counters.add(Counter.CREDIT_PROBE);
            }
        }
        return true;
    }

    private boolean fitsWindow(long nowNs) {
        int outstanding = recovery.outstanding();
        int window = window();
        // Where packets leave in bursts, a full window stays closed until a part of it is free, or
        // each acknowledgement of one packet lets one out, which is acknowledged alone again.
        int part = Math.min(window / REOPENS, service.settings.ackRequestEvery);
        int free = isFull && service.settings.burstBytes > 1 ? Math.max(1, part) : 1;
        isFull = outstanding + free > window;
        if (isFull) {
            // The window may have become smaller than the number of packets in flight before an
            // acknowledgement was requested.
            startTimer(nowNs);
            return stall(Counter.WINDOW_STALL);
        }
        if (work.kind(current) == Work.READ && outstanding + needed() > MAX_OUTSTANDING) {
            return stall(Counter.WINDOW_STALL);
        }
        return hasRoom() || stall(Counter.DEVICE_WINDOW_STALL);
    }

    @Override
    int needed() {
        if (current == WorkSlab.NIL || isWaitingForReceiver || !pair.sendsRequests()) {
            return 0;
        }
        return work.kind(current) == Work.READ
                ? RequestWriter.pieceFrom(packet, packetsOf(current), service.settings.readPackets)
                : 1;
    }

    @Override
    int useful() {
        int needed = needed();
        return needed == 0 || Work.isAnswered(work.kind(current))
                ? needed
                : packetsOf(current) - packet;
    }

    private int window() {
        int most = Math.min(service.settings.windowPackets, pair.rate().windowPackets());
        return Math.min(most, recovery.reach());
    }

    private boolean stall(Counter reason) {
        service.counters.add(reason);
        return false;
    }

    /// Asked for at the end of a request, when an answer is due anyway, now and then within a long
    /// message, and always before the window closes, the own one or the device's.
    private boolean wantsAck(RequestWriter writer, int slot) {
        return writer.isLast()
                || sinceAckRequest + 1 >= service.settings.ackRequestEvery
                || recovery.outstanding() + 1 >= window()
                || isLastRoom(writer.sequenceNumbers())
                || (!unlimitedCredit
                        && Work.usesReceive(work.kind(slot))
                        && Psn.distance(work.sendSequence(slot), creditLimit) > 0);
    }

    private void start(int slot) {
        if (!work.has(slot, Work.STARTED)) {
            work.set(slot, Work.STARTED);
            work.firstPsn(slot, recovery.sendPsn());
            if (!unlimitedCredit && !Work.usesReceive(work.kind(slot))) {
                // It will be counted by the peer's MSN and takes no receive for that.
                creditLimit = Psn.plus(creditLimit, messagesOf(slot));
            }
        }
    }

    private void advance(RequestWriter writer, int slot) {
        if (Work.isAnswered(work.kind(slot))) {
            readsInFlight++;
        }
        packet += writer.sequenceNumbers();
        if (packet == packetsOf(slot)) {
            current = work.next(slot);
            packet = 0;
        }
    }

    private void carryOutLocally() {
        int slot = current;
        CompletionStatus status = service.holds.carryOut(pair, slot);
        if (status != CompletionStatus.SUCCESS) {
            failOldest(status);
            return;
        }
        current = work.next(slot);
        packet = 0;
        queue.remove();
        pair.reporter().completeSend(slot, status);
    }

    /// Packets are lost: sends again from this number on.
    void repeatFrom(long nowNs, int psn) {
        pair.rate().lost(nowNs);
        goBackTo(psn);
        stopTimer();
    }

    /// Goes on from this sequence number, which is the oldest unacknowledged one.
    void goBackTo(int psn) {
        seek(psn);
        pair.rate().wentBack();
        giveUpRoom();
        pair.wake();
    }

    /// The next packet is this one, which was sent before or is the first that was not.
    private void seek(int psn) {
        int slot = queue.head();
        int reads = 0;
        while (slot != WorkSlab.NIL
                && work.has(slot, Work.STARTED)
                && Psn.distance(psn, work.firstPsn(slot)) >= packetsOf(slot)) {
            if (Work.isAnswered(work.kind(slot))) {
                reads++;
            }
            slot = work.next(slot);
        }
        current = slot;
        boolean started = slot != WorkSlab.NIL && work.has(slot, Work.STARTED);
        packet = started ? Psn.distance(psn, work.firstPsn(slot)) : 0;
        readsInFlight = reads;
        recovery.moveTo(psn);
    }

    /// The oldest request that was sent and not yet acknowledged, or nothing.
    int oldest() {
        int slot = queue.head();
        return slot != WorkSlab.NIL && work.has(slot, Work.STARTED) ? slot : WorkSlab.NIL;
    }

    /// The request that a sequence number in flight belongs to.
    int requestOf(int psn) {
        int slot = oldest();
        while (Psn.plus(psn, -work.firstPsn(slot)) >= packetsOf(slot)) {
            slot = work.next(slot);
        }
        return slot;
    }

    int packetsOf(int slot) {
        return RequestWriter.packets(work, slot, pair.settings().mtuShift());
    }

    /// Messages of the peer's count (its MSN) that a request is: a READ in pieces is several.
    private int messagesOf(int slot) {
        if (work.kind(slot) != Work.READ) {
            return 1;
        }
        int packets = packetsOf(slot);
        int most = service.settings.readPackets;
        return packets <= most ? 1 : Math.ceilDiv(packets, most);
    }

    /// The answer to the oldest READ or atomic in flight is whole; or to one from before it went
    /// back, when nothing is in flight.
    void answered() {
        if (isInFlight()) {
            readsInFlight--;
        }
    }

    /// The oldest request is done.
    void completeOldest() {
        int slot = queue.remove();
        if (slot == current) {
            // Answered before it was sent again.
            current = work.next(slot);
            packet = 0;
        }
        pair.reporter().completeSend(slot, CompletionStatus.SUCCESS);
    }

    /// Everything before this sequence number is acknowledged.
    void acknowledgedUpTo(long nowNs, int psn, boolean isMarked) {
        int packets = recovery.acknowledge(psn);
        if (packets == 0) {
            return;
        }
        isWaitingForReceiver = false;
        refillRnrRetries();
        pair.rate().acknowledged(nowNs, packets, isMarked);
        if (Psn.distance(recovery.unackedPsn(), recovery.sendPsn()) > 0) {
            service.counters.add(Counter.FAST_FORWARDED);
            goBackTo(recovery.unackedPsn());
        }
        settleRoom();
        stopTimer();
        if (recovery.isAnswerDue()) {
            startTimer(nowNs);
        }
        pair.deadline(TimerKind.RECEIVER_READY, TimerQueue.NEVER);
        pair.checkDrained(oldest() == WorkSlab.NIL);
        if (hasWork()) {
            pair.wake();
        }
    }

    /// The peer still answers the request from before the last repetition. Another repetition would
    /// make it send everything again, and a peer that is slow with a long READ would be given up.
    void stillAnswered(long nowNs, int psn) {
        if (recovery.isRepeating() && isTimerRunning() && isOfOldestRead(psn)) {
            stopTimer();
            startTimer(nowNs);
        }
    }

    /// Whether it is one of the oldest request's, received already or not. A forger who does not
    /// know the sequence number moves no timer.
    private boolean isOfOldestRead(int psn) {
        int slot = queue.head();
        int place = slot == WorkSlab.NIL ? -1 : Psn.distance(psn, work.firstPsn(slot));
        return place >= 0 && place < packetsOf(slot) && work.kind(slot) == Work.READ;
    }

    /// Takes the credits of an acknowledgement (IBA 9.7.7.2.5); they never shrink.
    void credits(int creditCode, int msn) {
        if (unlimitedCredit) {
            return;
        }
        if (creditCode == AckCredits.INVALID) {
            unlimitedCredit = true;
        } else {
            int limit = Psn.plus(msn, AckCredits.count(creditCode));
            if (Psn.distance(limit, creditLimit) > 0) {
                creditLimit = limit;
            }
        }
        if (hasWork()) {
            pair.wake();
        }
    }

    /// The peer has no receive request for the oldest packet: wait, then send it again.
    void receiverNotReady(long nowNs, long delayNs) {
        if (isWaitingForReceiver) {
            service.counters.add(Counter.IGNORED_NAK);
            return;
        }
        if (pair.settings().rnrRetry() != QueuePairCore.RETRY_FOREVER) {
            if (rnrRetriesLeft == 0) {
                service.counters.add(Counter.RNR_EXCEEDED);
                failOldest(CompletionStatus.RNR_RETRY_EXCEEDED);
                return;
            }
            rnrRetriesLeft--;
        }
        reportNotReady(nowNs);
        recovery.notReady();
        isWaitingForReceiver = true;
        stopTimer();
        pair.deadline(TimerKind.RECEIVER_READY, nowNs + delayNs);
    }

    /// A sender that waits for ever waits in silence, except for this.
    private void reportNotReady(long nowNs) {
        if (notReady == REPORTED) {
            return;
        }
        int nowMs = (int) (nowNs / MS);
        if (notReady == 0) {
            notReadySinceMs = nowMs;
        }
        notReady++;
        if (nowMs - notReadySinceMs >= NOT_READY_MS) {
            int count = notReady;
            notReady = REPORTED;
            pair.warn(
                    AsyncEvent.Type.RECEIVER_NOT_READY,
                    ("%s has waited for a second: the peer (qp 0x%x) sent %d RNR NAKs, because no"
                                    + " receive is posted there; post receives before the sends")
                            .formatted(pair, pair.settings().peer(), count));
        }
    }

    boolean isWaitingForReceiver() {
        return isWaitingForReceiver;
    }

    @Override
    public void receiverMayBeReady() {
        isWaitingForReceiver = false;
        pair.wake();
    }

    @Override
    public void drain() {
        recovery.refill();
        refillRnrRetries();
        pair.checkDrained(oldest() == WorkSlab.NIL);
    }

    /// The oldest request failed, and with it the queue pair.
    @Override
    public void failOldest(CompletionStatus status) {
        int slot = queue.remove();
        if (slot == current) {
            current = work.next(slot);
        }
        pair.reporter().completeSend(slot, status);
        pair.fail();
    }

    void failMemory(int slot) {
        if (queue.head() != slot) {
            // Completions keep their order: it fails when those before it are done.
            return;
        }
        service.counters.add(Counter.LOCAL_PROTECTION);
        failOldest(CompletionStatus.LOCAL_PROTECTION_ERROR);
    }

    @Override
    public void flush(boolean report) {
        current = WorkSlab.NIL;
        pair.reporter().flushSends(queue, report);
        settleRoom();
    }
}
