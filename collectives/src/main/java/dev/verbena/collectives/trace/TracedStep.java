package dev.verbena.collectives.trace;

import java.util.function.IntToLongFunction;

/// A step of a rank, or one of its operations. Times are nanoseconds.
///
/// @param peer the rank at the other end
/// @param operation number of the operation in its communicator, from 1
/// @param index of the step among the sends, or the receives, of its lane
/// @param readyNs when the step had its turn and its memory; of an operation when the one before
///   was over
/// @param hereNs when the rank has seen what it needs of the peer: the data of a receive, a grant
///   or a free slot for a send; of an operation its begin
/// @param doneNs when the send was posted, or the data was dealt with; of an operation its end
/// @param ackedNs when the peer had a long message, or [StepTrace#NONE]
public record TracedStep(
        Kind kind,
        int lane,
        int peer,
        int operation,
        int index,
        long bytes,
        long readyNs,
        long hereNs,
        long doneNs,
        long ackedNs) {
    /// What it is.
    public enum Kind {
        OPERATION(0),
        SEND(1),
        RECEIVE(2);

        /// What stands for it in a trace that goes to another rank.
        final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    static TracedStep of(IntToLongFunction word) {
        long head = word.applyAsLong(0);
        long place = word.applyAsLong(1);
        Kind[] kinds = Kind.values();
        int kind = (int) (head & 0xFF);
        if (kind >= kinds.length) {
            throw new IllegalArgumentException("there is no kind of steps " + kind);
        }
        return new TracedStep(
                kinds[kind],
                (int) (head >>> 8) & 0xFF_FFFF,
                (int) (head >>> 32),
                (int) (place >>> 32),
                (int) place,
                word.applyAsLong(2),
                word.applyAsLong(3),
                word.applyAsLong(4),
                word.applyAsLong(5),
                word.applyAsLong(6));
    }

    /// How long the rank waited for the peer.
    public long waitedNs() {
        return kind == Kind.OPERATION ? 0 : hereNs - readyNs;
    }

    /// How long the rank itself took.
    public long ownNs() {
        return kind == Kind.OPERATION ? 0 : doneNs - hereNs;
    }

    /// Whether it is known how long the message was under way.
    public boolean hasTransfer() {
        return kind == Kind.SEND && ackedNs != StepTrace.NONE;
    }

    /// From the post to the acknowledgement.
    public long transferNs() {
        return ackedNs - doneNs;
    }

    /// The same by a clock that shows `offsetNs` more.
    TracedStep shifted(long offsetNs) {
        return new TracedStep(
                kind,
                lane,
                peer,
                operation,
                index,
                bytes,
                readyNs - offsetNs,
                hereNs - offsetNs,
                doneNs - offsetNs,
                ackedNs == StepTrace.NONE ? ackedNs : ackedNs - offsetNs);
    }
}
