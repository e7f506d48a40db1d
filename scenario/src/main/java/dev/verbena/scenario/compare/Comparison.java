package dev.verbena.scenario.compare;

import dev.verbena.scenario.read.Setting;
import dev.verbena.scenario.run.Result;
import java.util.List;

/// Two results of the same work, and why they differ.
///
/// @param headline one sentence: which takes longer, and how much
/// @param reasons what the counters say about it, the cause that fits best first
/// @param settings what the two files have different
public record Comparison(
        Side a, Side b, String headline, List<String> reasons, List<Setting> settings) {
    /// One of the two.
    ///
    /// @param label what sentences call it
    public record Side(String label, Result result) {}

    public Comparison {
        reasons = List.copyOf(reasons);
        settings = List.copyOf(settings);
    }

    /// Holds two results against each other.
    public static Comparison of(Side a, Side b, List<Setting> settings) {
        Reasons found = new Reasons(a, b);
        return new Comparison(a, b, found.headline(), found.all(), settings);
    }

    /// Whether both have come to their end, and all that they assert holds.
    public boolean isGood() {
        return a.result.isGood() && b.result.isGood();
    }
}
