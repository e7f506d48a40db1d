package dev.verbena.transport.reliable;

import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.schedule.TimerKind;
import dev.verbena.transport.schedule.TimerQueue;

/// How long a reliable queue pair waits for an answer, and what it does when none comes.
///
/// It is a part of [Requester], as [WindowShare] is.
abstract class AnswerTimer extends WindowShare {
    /// Whether packets are being sent again, and NAKs may still be for the first transmission.
    boolean isRecovering;

    /// Whether packets were sent again, and nothing was acknowledged since.
    boolean isRepeating;

    /// Whether the last packet in flight is to be sent once more.
    private boolean isProbing;

    AnswerTimer(QueuePairCore pair, ReliableService service) {
        super(pair, service);
    }

    /// Whether anything was sent that is not yet acknowledged, since it last went back.
    public abstract boolean isInFlight();

    /// A packet in flight asked for an answer.
    final void answerAsked(long nowNs) {
        if (service.settings.followsPeers) {
            pair.follow(service.settings.windowPackets);
            if (!isRecovering) {
                pair.rate().asked(nowNs, outstanding());
            }
        }
        startTimer(nowNs);
    }

    /// IBA 9.7.6.1.3: the timer runs while an answer is due; without one that was asked for, a long
    /// message on a slow link would be sent again and again.
    final void startTimer(long nowNs) {
        if (pair.timeoutNs > 0 && !isTimerRunning()) {
            long patienceNs = pair.rate().patienceNs(nowNs, pair.timeoutNs);
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
        if (!isInFlight()) {
            return;
        }
        long moreNs = pair.rate().morePatienceNs(nowNs);
        if (moreNs > 0) {
            isProbing = true;
            pair.deadline(TimerKind.RETRANSMIT, nowNs + moreNs);
            pair.wake();
        } else {
            service.recovery.onTimeout((Requester) this, nowNs);
        }
    }

    /// Whether the last packet in flight is to be sent once more.
    final boolean wantsProbe() {
        return isProbing;
    }

    /// The last packet is on its way once more. A NAK that comes now is about this one: those for
    /// what was in flight before it went back had a few round trips to come.
    void probed() {
        isProbing = false;
        isRecovering = false;
    }
}
