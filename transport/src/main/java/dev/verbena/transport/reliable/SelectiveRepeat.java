package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.schedule.Transmitter;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Psn;
import dev.verbena.wire.SackEth;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Sends only those packets again that are lost (docs/decisions/0050-selective-repeat.md).
///
/// Transmissions are counted. A packet is lost when it has not come and one that was sent after it
/// has. Each is known by the sequence number at which it starts: a READ takes many numbers and is
/// one packet. All of them start less than [#reach] behind the oldest that is unacknowledged,
/// because the window is no larger.
///
/// The ledger goes back only where the receiver was not ready: what is lost is sent again beside
/// it.
final class SelectiveRepeat extends LossRecovery {
    private static final int MASK = SackEth.REACH - 1;

    /// States of a sequence number. No packet in flight starts here:
    private static final byte NONE = 0;

    private static final byte SENT = 1;

    /// The peer has placed it, and does not need it again.
    private static final byte PLACED = 2;

    /// It waits to be sent again.
    private static final byte LOST = 3;

    private final Requester requester;
    private final byte[] states = new byte[SackEth.REACH];

    /// Which transmission each was.
    private final int[] serials = new int[SackEth.REACH];

    /// The transmission before the next, and the newest that is known to have come.
    private int serial;

    private int newest;

    /// The same, where a packet counts that has come and was dropped. An acknowledgement that comes
    /// late may name one that was sent again since, so this says less.
    private int newestSeen;

    private int lost;

    /// Where the packets in flight ended when the last loss was found.
    private int lossEnd;

    private boolean isRecovering;

    /// Everything was sent again, and nothing was acknowledged since.
    private boolean isRepeating;

    private byte retriesLeft;

    SelectiveRepeat(Requester requester) {
        this.requester = requester;
    }

    private Counters counters() {
        return requester.service.counters;
    }

    @Override
    boolean isSelective() {
        return true;
    }

    @Override
    int reach() {
        return SackEth.REACH;
    }

    @Override
    void startAt(int psn) {
        super.startAt(psn);
        Arrays.fill(states, NONE);
        newest = serial;
        newestSeen = serial;
        setLost(0);
        peerIsAlive();
    }

    private void setLost(int count) {
        lost = count;
        hasLost = count > 0;
    }

    @Override
    int nextPsn() {
        return sendPsn();
    }

    @Override
    void sent(int numbers, boolean isAsked) {
        int at = sendPsn() & MASK;
        states[at] = SENT;
        serials[at] = ++serial;
        super.sent(numbers, isAsked);
    }

    @Override
    int acknowledge(int psn) {
        int from = unackedPsn();
        int more = super.acknowledge(psn);
        if (more == 0) {
            return 0;
        }
        int last = serials[from & MASK];
        for (int i = 0; i < Math.min(more, SackEth.REACH); i++) {
            int at = from + i & MASK;
            if (states[at] != NONE) {
                last = serials[at];
                came(at);
                states[at] = NONE;
            }
        }
        int front = unackedPsn() & MASK;
        if (Psn.distance(unackedPsn(), sendPsn()) < 0 && states[front] == NONE) {
            // The rest of a READ.
            states[front] = SENT;
            serials[front] = last;
        }
        refill();
        isRepeating = false;
        isRecovering &= Psn.distance(unackedPsn(), lossEnd) < 0;
        return more;
    }

    /// The packet at this place has arrived.
    private void came(int at) {
        if (serials[at] - newest > 0) {
            newest = serials[at];
        }
        seen(at);
        if (states[at] == LOST) {
            setLost(lost - 1);
        }
    }

    private void seen(int at) {
        if (serials[at] - newestSeen > 0) {
            newestSeen = serials[at];
        }
    }

    private int inReach() {
        return Math.min(outstanding(), SackEth.REACH);
    }

    @Override
    void selected(long nowNs, PacketView view) {
        MemorySegment segment = view.segment();
        long at = view.at(ExtendedHeader.SACK_ETH);
        int first = Psn.distance(Psn.plus(SackEth.start(segment, at), 1), unackedPsn());
        for (int word = 0; word < SackEth.WORDS; word++) {
            long bits = SackEth.word(segment, at, word);
            while (bits != 0) {
                placed(first + word * Long.SIZE + Long.numberOfTrailingZeros(bits));
                bits &= bits - 1;
            }
        }
        dropped(Psn.distance(SackEth.seen(segment, at), unackedPsn()));
    }

    private void placed(int ahead) {
        if (ahead >= 0 && ahead < inReach()) {
            int place = unackedPsn() + ahead & MASK;
            if (states[place] == SENT || states[place] == LOST) {
                came(place);
                states[place] = PLACED;
            }
        }
    }

    /// The packet that came last, where it is not among those that were placed.
    private void dropped(int ahead) {
        if (ahead >= 0 && ahead < inReach()) {
            int place = unackedPsn() + ahead & MASK;
            if (states[place] == SENT) {
                seen(place);
                states[place] = LOST;
                setLost(lost + 1);
                requester.pair.wake();
            }
        }
    }

    @Override
    void judge(long nowNs) {
        int front = unackedPsn() & MASK;
        if (!isInFlight() || !requester.pair.sendsRequests()) {
            return;
        }
        // Without a repetition the oldest packet was sent first.
        if (!isRecovering && !isOvertaken(front) && lost == 0) {
            return;
        }
        int before = lost;
        // A retry is taken for what is certain; for the rest there is the timer.
        boolean isRetry = states[front] == SENT && newest - serials[front] > reorder();
        for (int i = 0; i < inReach(); i++) {
            int at = unackedPsn() + i & MASK;
            if (states[at] == SENT && isOvertaken(at)) {
                states[at] = LOST;
                setLost(lost + 1);
            }
        }
        if (isRetry && !takeRetry()) {
            return;
        }
        if (lost > before) {
            lose(nowNs);
        }
    }

    private boolean isOvertaken(int at) {
        return newestSeen - serials[at] > reorder();
    }

    private int reorder() {
        return requester.service.settings.reorder;
    }

    /// Packets are lost: one loss for all that were in flight together.
    private void lose(long nowNs) {
        if (!isRecovering) {
            requester.pair.rate().lost(nowNs);
            isRecovering = true;
            lossEnd = sendPsn();
        }
        requester.pair.rate().wentBack();
        requester.pair.wake();
    }

    /// IBA 9.7.6.1: the first transmission and as many more as the retry count says.
    private boolean takeRetry() {
        if (retriesLeft == 0) {
            counters().add(Counter.RETRY_EXCEEDED);
            requester.failOldest(CompletionStatus.RETRY_EXCEEDED);
            return false;
        }
        retriesLeft--;
        return true;
    }

    @Override
    void refill() {
        retriesLeft = (byte) requester.pair.settings().retryCount();
    }

    @Override
    void peerIsAlive() {
        refill();
        isRecovering = false;
        isRepeating = false;
    }

    @Override
    boolean isRecovering() {
        return isRecovering;
    }

    @Override
    boolean isRepeating() {
        return isRepeating;
    }

    @Override
    void probed() {}

    /// A peer that has agreed sends none.
    @Override
    void sequenceNak(long nowNs, int psn) {
        counters().add(Counter.RECEIVED_NAK_SEQUENCE);
        counters().add(Counter.IGNORED_NAK);
    }

    /// The answer to a READ is lost; those behind it were not taken, and are asked for again too.
    @Override
    void impliedNak(long nowNs) {
        counters().add(Counter.IMPLIED_NAK);
        if (isRepeating || requester.isWaitingForReceiver() || !isInFlight()) {
            counters().add(Counter.IGNORED_NAK);
        } else if (takeRetry()) {
            repeatAll(nowNs, SENT);
        }
    }

    @Override
    void timedOut(long nowNs) {
        counters().add(Counter.ACK_TIMEOUT);
        if (requester.isWaitingForReceiver() || !takeRetry()) {
            return;
        }
        // The peer may not have what it said: this puts it right.
        repeatAll(nowNs, PLACED);
        requester.stopTimer();
    }

    /// Sends all again whose state is this one or an earlier one.
    private void repeatAll(long nowNs, byte upTo) {
        for (int i = 0; i < inReach(); i++) {
            int at = unackedPsn() + i & MASK;
            if (states[at] != NONE && states[at] <= upTo) {
                states[at] = LOST;
                setLost(lost + 1);
            }
        }
        isRecovering = false;
        lose(nowNs);
        isRepeating = true;
    }

    @Override
    void notReady() {
        // The wait may be for ever: what is in flight gives its room in the device's window back,
        // and is sent anew after it. The peer counts what it has placed as duplicates.
        Arrays.fill(states, NONE);
        setLost(0);
        requester.goBackTo(unackedPsn());
        peerIsAlive();
    }

    @Override
    int repeat(long nowNs, int budgetBytes, TransmitSink sink) {
        QueuePairCore pair = requester.pair;
        if (!isInFlight() || !pair.sendsRequests()) {
            requester.probed();
            return Transmitter.NOTHING;
        }
        if (requester.isWaitingForReceiver() || !pair.isPaced(nowNs)) {
            return Transmitter.NOTHING;
        }
        int psn = hasLost ? firstLost() : lastSent();
        int slot = requester.requestOf(psn);
        int index = Psn.plus(psn, -requester.service.holds.work.firstPsn(slot));
        RequestWriter writer = requester.service.requestWriter;
        int length = writer.choose(pair, slot, index);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        OutboundPacket out = sink.next();
        if (!writer.write(out, pair, psn, true)) {
            requester.failMemory(slot);
            return Transmitter.NOTHING;
        }
        count(slot, index);
        repeated(psn & MASK);
        pair.paced(nowNs, length);
        requester.answerAsked(nowNs);
        Packets.finish(counters(), sink, out);
        return length;
    }

    private int firstLost() {
        for (int i = 0; i < inReach(); i++) {
            if (states[unackedPsn() + i & MASK] == LOST) {
                return Psn.plus(unackedPsn(), i);
            }
        }
        throw new AssertionError("what is lost is in flight");
    }

    /// Without a loss that is known, the packet that was sent last is sent once more, of those
    /// whose fate is open: the answer says what has become of all before it. Whether it is for the
    /// first of the two is not known, and so it must say the same.
    private int lastSent() {
        int last = 0;
        boolean isFound = false;
        for (int i = 0; i < inReach(); i++) {
            int at = unackedPsn() + i & MASK;
            boolean isLater = !isFound || serials[at] - serials[unackedPsn() + last & MASK] > 0;
            if (states[at] == SENT && isLater) {
                last = i;
                isFound = true;
            }
        }
        return Psn.plus(unackedPsn(), last);
    }

    private void repeated(int at) {
        if (states[at] == LOST) {
            setLost(lost - 1);
            serial++;
        } else {
            counters().add(Counter.TAIL_PROBE);
            // What it says of the others must not be taken for a change of order; but it is not
            // later than they are, for a peer that is only slow answers the first transmission.
            serial += reorder();
            isRepeating = false;
            isRecovering = true;
            lossEnd = sendPsn();
        }
        states[at] = SENT;
        serials[at] = serial;
        askedForAll();
        requester.probed();
    }

    private void count(int slot, int index) {
        counters().add(Counter.RETRANSMITTED);
        if (index > 0 && requester.service.holds.work.kind(slot) == Work.READ) {
            counters().add(Counter.RESTARTED_READ);
        }
        assert slot != WorkSlab.NIL;
    }
}
