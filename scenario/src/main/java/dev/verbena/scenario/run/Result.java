package dev.verbena.scenario.run;

import dev.verbena.scenario.Check;
import java.util.List;
import java.util.Optional;

/// A run with what follows from it.
///
/// @param baseline the same without faults and slow hosts
public record Result(
        Outcome outcome,
        Optional<Outcome> baseline,
        Measures measures,
        Finding finding,
        List<Checked> checks) {
    /// Whether something that must hold does.
    ///
    /// @param found the value, in words
    public record Checked(Check check, boolean holds, String found) {}

    public Result {
        checks = List.copyOf(checks);
    }

    /// Whether the run has come to its end, nothing failed in it, and everything holds.
    public boolean isGood() {
        return !outcome.isPartial() && checks.stream().allMatch(Checked::holds) && hasEnded();
    }

    /// A scenario that says what it expects decides itself whether flows may fail.
    private boolean hasEnded() {
        return outcome.isOver() || !checks.isEmpty();
    }
}
