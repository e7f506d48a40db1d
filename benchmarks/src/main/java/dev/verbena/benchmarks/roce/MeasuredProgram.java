package dev.verbena.benchmarks.roce;

import java.util.Optional;

/// A program that moves data between two processes.
interface MeasuredProgram {
    String name();

    /// Why it cannot run here, and what to do, if it cannot.
    default Optional<String> obstacle() {
        return Optional.empty();
    }

    /// Whether it can do what a subject asks for, or something that may stand beside it.
    boolean takes(Subject subject, WireEnds place);

    /// Runs it once: the figure, in the unit of the subject.
    double run(Subject subject, WireEnds place);
}
