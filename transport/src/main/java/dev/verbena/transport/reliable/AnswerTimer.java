package dev.verbena.transport.reliable;

import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.schedule.TimerKind;
import dev.verbena.transport.schedule.TimerQueue;

/// How long a reliable queue pair waits for an answer, and what it does when none comes.
///
/// It is a part of [Requester], as [WindowShare] is.
abstract class AnswerTimer extends WindowShare {
    /// Whether the last packet in flight is to be sent once more.
    private boolean isProbing;

    AnswerTimer(QueuePairCore pair, ReliableService service) {
        super(pair, service);
    }

    /// A packet in flight asked for an answer.
    final void answerAsked(long nowNs) {
        if (service.settings.followsPeers) {
            pair.follow(service.settings.windowPackets);
        }
        if (!recovery().isRecovering()) {
            pair.rate().asked(nowNs, recovery().outstanding());
        }
        startTimer(nowNs);
    }

    /// IBA 9.7.6.1.3: the timer runs while an answer is due; without one that was asked for, a long
    /// message on a slow link would be sent again and again.
    final void startTimer(long nowNs) {
        if (pair.settings().timeoutNs() > 0 && !isTimerRunning()) {
            long patienceNs = pair.rate().patienceNs(nowNs, pair.settings().timeoutNs());
            pair.deadline(TimerKind.RETRANSMIT, nowNs + patienceNs);
        }
    }

    final boolean isTimerRunning() {
        return pair.deadline(TimerKind.RETRANSMIT) != TimerQueue.NEVER;
    }

    final void stopTimer() {
        pair.deadline(TimerKind.RETRANSMIT, TimerQueue.NEVER);
        isProbing = false;
    }

    /// The timer has ended.
    public final void timedOut(long nowNs) {
        // Nothing is in flight when the carrier has not taken the packets to repeat.
        if (!recovery().isInFlight()) {
            return;
        }
        long moreNs = pair.rate().morePatienceNs(nowNs);
        if (moreNs > 0) {
            isProbing = true;
            pair.deadline(TimerKind.RETRANSMIT, nowNs + moreNs);
            pair.wake();
        } else {
            recovery().timedOut(nowNs);
        }
    }

    /// Whether a packet is to be sent again apart from the order: one that is lost, or the one that
    /// finds out what is.
    final boolean wantsRepeat() {
        return isProbing || recovery().hasLost;
    }

    /// The last packet is on its way once more, or there is none.
    final void probed() {
        isProbing = false;
        recovery().probed();
    }
}
