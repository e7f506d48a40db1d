package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.common.Counters;
import dev.verbena.verbs.CompletionStatus;

/// Sends everything again from the first packet that is missing (IBA 9.7.5.1.1, 9.7.6.1).
///
/// While it does, further NAKs say nothing new and are ignored; only progress or a timeout ends
/// that.
final class GoBackN implements LossRecovery {
    private final Counters counters;

    GoBackN(Counters counters) {
        this.counters = counters;
    }

    @Override
    public void onSequenceNak(Requester requester, long nowNs, int psn) {
        counters.add(Counter.RECEIVED_NAK_SEQUENCE);
        goBack(requester, nowNs);
    }

    @Override
    public void onImpliedNak(Requester requester, long nowNs) {
        counters.add(Counter.IMPLIED_NAK);
        goBack(requester, nowNs);
    }

    @Override
    public void onTimeout(Requester requester, long nowNs) {
        counters.add(Counter.ACK_TIMEOUT);
        requester.isRecovering = false;
        goBack(requester, nowNs);
    }

    private void goBack(Requester requester, long nowNs) {
        // While the peer has no receive posted, the request is repeated anyway; Linux rxe sends a
        // sequence NAK for the packets after the refused one. A NAK that arrives while nothing is
        // in flight refers to packets that will all be sent again.
        if (requester.isRecovering || requester.isWaitingForReceiver() || !requester.isInFlight()) {
            counters.add(Counter.IGNORED_NAK);
            return;
        }
        // IBA 9.7.6.1: the first transmission and as many more as the retry count says.
        if (requester.retriesLeft == 0) {
            counters.add(Counter.RETRY_EXCEEDED);
            requester.failOldest(CompletionStatus.RETRY_EXCEEDED);
            return;
        }
        requester.retriesLeft--;
        requester.isRecovering = true;
        requester.isRepeating = true;
        requester.pair.rate().lost(nowNs);
        requester.goBackTo(requester.unackedPsn());
        requester.stopTimer();
    }
}
