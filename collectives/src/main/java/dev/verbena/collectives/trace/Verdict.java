package dev.verbena.collectives.trace;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What holds operations up, or that nothing stands out.
///
/// @param culprit its name: a rank as `rank 17`, a pair as `pair 3 to 7`, a cable by its ports;
///   empty where nothing stands out
/// @param sentence all of it in one sentence
/// @param reasons figures behind it
public record Verdict(Kind kind, String culprit, String sentence, List<String> reasons) {
    /// What stands out.
    public enum Kind {
        NONE,
        SLOW_RANK,
        SLOW_PAIR,
        SLOW_LINK,
        LOSSY_LINK
    }

    public Verdict {
        reasons = List.copyOf(reasons);
    }

    /// Nothing stands out.
    public static Verdict none(List<String> reasons) {
        return new Verdict(Kind.NONE, "", "no rank, pair or link stands out", reasons);
    }

    /// With what is known besides.
    ///
    /// @param traces of all ranks by one clock, in the order of ranks
    /// @param before asked before the ranks are looked at
    /// @param after asked when no rank is slow
    public static Verdict of(
            List<RankTrace> traces,
            Supplier<Optional<Verdict>> before,
            Supplier<Optional<Verdict>> after) {
        RankTimes times = RankTimes.of(traces);
        return before.get().or(times::slowRank).or(after).orElseGet(() -> none(times.text()));
    }

    /// From the traces alone, where nothing is known of what joins the ranks.
    ///
    /// @param traces of all ranks by one clock, in the order of ranks
    public static Verdict of(List<RankTrace> traces) {
        return of(traces, Optional::empty, () -> Pairs.slow(Message.all(traces)));
    }
}
