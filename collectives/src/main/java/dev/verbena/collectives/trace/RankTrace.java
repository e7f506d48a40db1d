package dev.verbena.collectives.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// What is kept of the steps of a rank.
///
/// @param overwritten older steps that are not kept any more
public record RankTrace(int rank, List<TracedStep> steps, long overwritten) {
    public RankTrace {
        steps = List.copyOf(steps);
    }

    /// Reads what another rank has written.
    ///
    /// @param ranks how many there are
    /// @throws IllegalArgumentException for a step that no trace has
    public static RankTrace read(
            int rank, int ranks, MemorySegment from, ValueLayout.OfLong as, long overwritten) {
        List<TracedStep> steps = new ArrayList<>();
        for (long at = 0; at < from.byteSize(); at += StepTrace.STEP_BYTES) {
            long first = at;
            TracedStep step = TracedStep.of(word -> from.get(as, first + (long) word * Long.BYTES));
            if (step.peer() < 0 || step.peer() >= ranks || step.bytes() < 0) {
                throw new IllegalArgumentException(
                        "rank %d has traced a step of %,d bytes with rank %d of %d"
                                .formatted(rank, step.bytes(), step.peer(), ranks));
            }
            steps.add(step);
        }
        return new RankTrace(rank, steps, overwritten);
    }

    /// The same by a clock of which this rank's shows `offsetNs` more.
    public RankTrace shifted(long offsetNs) {
        return new RankTrace(
                rank, steps.stream().map(it -> it.shifted(offsetNs)).toList(), overwritten);
    }
}
