package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.PacketView;

/// Sends everything again from the first packet that is missing (IBA 9.7.5.1.1, 9.7.6.1).
///
/// While it does, further NAKs say nothing new and are ignored; only progress or a timeout ends
/// that.
final class GoBackN extends LossRecovery {
    private final Requester requester;
    private byte retriesLeft;
    private boolean isRecovering;
    private boolean isRepeating;

    GoBackN(Requester requester) {
        this.requester = requester;
    }

    private Counters counters() {
        return requester.service.counters;
    }

    @Override
    void startAt(int psn) {
        super.startAt(psn);
        peerIsAlive();
    }

    @Override
    boolean isSelective() {
        return false;
    }

    @Override
    int repeat(long nowNs, int budgetBytes, TransmitSink sink) {
        return requester.service.probe.transmit(requester, nowNs, budgetBytes, sink);
    }

    /// No peer sends one to a queue pair that has not agreed on it.
    @Override
    void selected(long nowNs, PacketView view) {
        counters().add(Counter.GHOST_RESPONSE);
    }

    @Override
    void notReady() {
        requester.goBackTo(unackedPsn());
        peerIsAlive();
    }

    @Override
    int nextPsn() {
        return sendPsn();
    }

    @Override
    int acknowledge(int psn) {
        int more = super.acknowledge(psn);
        if (more > 0) {
            peerIsAlive();
        }
        return more;
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

    /// A NAK that comes now is about the probe: those for what was in flight before it went back
    /// had a few round trips to come.
    @Override
    void probed() {
        askedForAll();
        isRecovering = false;
    }

    @Override
    void sequenceNak(long nowNs, int psn) {
        counters().add(Counter.RECEIVED_NAK_SEQUENCE);
        goBack(nowNs);
    }

    @Override
    void impliedNak(long nowNs) {
        counters().add(Counter.IMPLIED_NAK);
        goBack(nowNs);
    }

    @Override
    void timedOut(long nowNs) {
        counters().add(Counter.ACK_TIMEOUT);
        isRecovering = false;
        goBack(nowNs);
    }

    private void goBack(long nowNs) {
        // While the peer has no receive posted, the request is repeated anyway; Linux rxe sends a
        // sequence NAK for the packets after the refused one. A NAK that arrives while nothing is
        // in flight refers to packets that will all be sent again.
        if (isRecovering || requester.isWaitingForReceiver() || !isInFlight()) {
            counters().add(Counter.IGNORED_NAK);
            return;
        }
        // IBA 9.7.6.1: the first transmission and as many more as the retry count says.
        if (retriesLeft == 0) {
            counters().add(Counter.RETRY_EXCEEDED);
            requester.failOldest(CompletionStatus.RETRY_EXCEEDED);
            return;
        }
        retriesLeft--;
        isRecovering = true;
        isRepeating = true;
        requester.repeatFrom(nowNs, unackedPsn());
    }
}
