package dev.verbena.collectives.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// The last steps of one rank: a ring of a fixed size, in which the newest step takes the place of
/// the oldest.
///
/// A step takes 56 bytes and makes no object. It belongs to the thread of its communicator.
public final class StepTrace {
    /// Steps of the usual ring: 448 KiB.
    public static final int USUAL_STEPS = 1 << 13;

    /// The largest ring: 56 MiB.
    public static final int STEPS_MAX = 1 << 20;

    /// A step that is not acknowledged, or not kept any more.
    public static final long NONE = -1;

    static final int WORDS = 7;

    /// Bytes of a step.
    public static final int STEP_BYTES = WORDS * Long.BYTES;

    private static final int ACKED = 6;

    private final long[] words;
    private final int steps;
    private final LongSupplier clock;
    private long written;
    private int operation;
    private long begunNs;
    private long endedNs = NONE;

    /// @param clock nanoseconds, that of the communicator's settings
    public StepTrace(int steps, LongSupplier clock) {
        if (steps < 1 || steps > STEPS_MAX) {
            throw new IllegalArgumentException(
                    "a trace of %,d steps: use 1 to %,d".formatted(steps, STEPS_MAX));
        }
        this.steps = steps;
        this.clock = clock;
        words = new long[steps * WORDS];
    }

    public long nowNs() {
        return clock.getAsLong();
    }

    /// An operation begins.
    public void begun(long nowNs) {
        operation++;
        begunNs = nowNs;
    }

    /// It is over.
    public void ended(long nowNs) {
        long before = endedNs == NONE ? begunNs : endedNs;
        add(TracedStep.Kind.OPERATION, 0, 0, 0, 0, before, begunNs, nowNs);
        endedNs = nowNs;
    }

    /// Adds a step that is done; returns its number, for [#acknowledged].
    ///
    /// @param readyNs when it had its turn and its memory
    /// @param hereNs when what it needs of the peer was here
    public long add(
            TracedStep.Kind kind,
            int lane,
            int peer,
            int index,
            long bytes,
            long readyNs,
            long hereNs,
            long doneNs) {
        int at = (int) (written % steps) * WORDS;
        words[at] = kind.code | (long) lane << 8 | (long) peer << 32;
        words[at + 1] = index | (long) operation << 32;
        words[at + 2] = bytes;
        words[at + 3] = readyNs;
        words[at + 4] = hereNs;
        words[at + 5] = doneNs;
        words[at + ACKED] = NONE;
        return written++;
    }

    /// The peer has a long message.
    public void acknowledged(long number, long nowNs) {
        if (written - number <= steps) {
            words[(int) (number % steps) * WORDS + ACKED] = nowNs;
        }
    }

    /// Steps that are not kept any more.
    public long overwritten() {
        return Math.max(0, written - steps);
    }

    /// Forgets all steps.
    public void clear() {
        written = 0;
        endedNs = NONE;
    }

    /// Bytes of what is kept.
    public long bytes() {
        return (long) kept() * STEP_BYTES;
    }

    /// Bytes of a full ring.
    public long bytesMax() {
        return (long) steps * STEP_BYTES;
    }

    /// Writes what is kept, the oldest step first.
    public void write(MemorySegment into, ValueLayout.OfLong as) {
        for (int step = 0; step < kept(); step++) {
            for (int i = 0; i < WORDS; i++) {
                into.set(as, (long) step * STEP_BYTES + (long) i * Long.BYTES, word(step, i));
            }
        }
    }

    int kept() {
        return (int) Math.min(written, steps);
    }

    /// A word of a step, counted from the oldest that is kept.
    long word(int step, int word) {
        return words[(int) ((overwritten() + step) % steps) * WORDS + word];
    }

    /// What is kept, the oldest step first.
    public RankTrace of(int rank) {
        List<TracedStep> found = new ArrayList<>(kept());
        for (int i = 0; i < kept(); i++) {
            int step = i;
            found.add(TracedStep.of(word -> word(step, word)));
        }
        return new RankTrace(rank, found, overwritten());
    }
}
