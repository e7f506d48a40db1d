package dev.verbena.collectives.run;

import dev.verbena.collectives.plan.Step;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.TracedStep.Kind;

/// The times of the steps of one lane that are not over.
final class LaneTrace {
    private static final long NOT_YET = Long.MIN_VALUE;

    private final StepTrace trace;
    private final int lane;
    private final long[] numbers = new long[AckWindow.SIZE];
    private long sendReadyNs = NOT_YET;
    private long grantHereNs = NOT_YET;
    private long receiveReadyNs = NOT_YET;
    private long dataHereNs = NOT_YET;

    LaneTrace(StepTrace trace, int lane) {
        this.trace = trace;
        this.lane = lane;
    }

    boolean isOf(StepTrace other) {
        return trace == other;
    }

    /// The next receive has its turn.
    void receives() {
        if (receiveReadyNs == NOT_YET) {
            receiveReadyNs = trace.nowNs();
        }
    }

    void dataIsHere() {
        if (dataHereNs == NOT_YET) {
            dataHereNs = trace.nowNs();
        }
    }

    void received(Step step, int index, long bytes) {
        add(Kind.RECEIVE, step, index, bytes, receiveReadyNs, dataHereNs);
        receiveReadyNs = NOT_YET;
        dataHereNs = NOT_YET;
    }

    /// The next send has its turn, and its memory.
    void sends() {
        if (sendReadyNs == NOT_YET) {
            sendReadyNs = trace.nowNs();
        }
    }

    void grantIsHere() {
        if (grantHereNs == NOT_YET) {
            grantHereNs = trace.nowNs();
        }
    }

    void sent(Step step, int index, long bytes) {
        numbers[index % numbers.length] =
                add(Kind.SEND, step, index, bytes, sendReadyNs, grantHereNs);
        sendReadyNs = NOT_YET;
        grantHereNs = NOT_YET;
    }

    private long add(Kind kind, Step step, int index, long bytes, long readyNs, long hereNs) {
        return trace.add(kind, lane, step.peer, index, bytes, readyNs, hereNs, trace.nowNs());
    }

    void acknowledged(int index) {
        trace.acknowledged(numbers[index % numbers.length], trace.nowNs());
    }
}
