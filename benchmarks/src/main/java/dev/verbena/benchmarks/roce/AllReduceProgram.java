package dev.verbena.benchmarks.roce;

import java.util.Map;
import java.util.Optional;

/// A program that carries out all-reduces of two ranks.
interface AllReduceProgram {
    String name();

    /// Why it cannot run here, and what to do, if it cannot.
    default Optional<String> obstacle() {
        return Optional.empty();
    }

    /// Runs it once: microseconds of one all-reduce by bytes of the vector.
    Map<Long, Double> run(AllReduceGroup group, WireEnds place);
}
