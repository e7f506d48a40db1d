package dev.verbena.collectives.trace;

import dev.verbena.collectives.trace.TracedStep.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// How much of the time each rank needed for itself, and how much it waited for others.
///
/// Waiting spreads: behind a slow rank all wait, for each other as well as for it, so that who is
/// waited for says little. What a rank needs for itself does not spread: preparing sends, dealing
/// with what has arrived, and coming late to an operation that others have begun. The slow rank has
/// much of that, and waits least.
final class RankTimes {
    /// A rank that holds the others up for less is not worth a name.
    static final double LEAST_SHARE = 0.1;

    /// The slow rank is so much further from the middle than the next one. Chance makes the first
    /// of many ranks a little slower than the second, not twice as much.
    static final double AHEAD = 2;

    /// @param ownNs what the rank needed for itself
    /// @param waitedNs while it did nothing but wait for peers
    /// @param allNs of all operations
    private record Times(int rank, long ownNs, long waitedNs, long allNs) {
        double ownShare() {
            return (double) ownNs / Math.max(1, allNs);
        }

        double waitedShare() {
            return (double) waitedNs / Math.max(1, allNs);
        }
    }

    private final List<Times> all;

    private RankTimes(List<Times> all) {
        this.all = all;
    }

    static RankTimes of(List<RankTrace> traces) {
        Map<Integer, Double> begins = begins(traces);
        List<Times> all = new ArrayList<>();
        for (RankTrace trace : traces) {
            all.add(times(trace, begins));
        }
        return new RankTimes(all);
    }

    /// By operation, when the rank in the middle began.
    private static Map<Integer, Double> begins(List<RankTrace> traces) {
        Map<Integer, List<Double>> found = new HashMap<>();
        for (RankTrace trace : traces) {
            for (TracedStep step : trace.steps()) {
                if (step.kind() == Kind.OPERATION) {
                    found.computeIfAbsent(step.operation(), _ -> new ArrayList<>())
                            .add((double) step.hereNs());
                }
            }
        }
        Map<Integer, Double> begins = new HashMap<>();
        found.forEach((operation, times) -> begins.put(operation, Median.of(times)));
        return begins;
    }

    private static Times times(RankTrace trace, Map<Integer, Double> begins) {
        Spans own = new Spans();
        Spans busy = new Spans();
        Spans whole = new Spans();
        for (TracedStep step : trace.steps()) {
            if (step.kind() == Kind.OPERATION) {
                long middle = begins.getOrDefault(step.operation(), 0.0).longValue();
                long idle = Math.max(step.readyNs(), middle);
                own.add(idle, step.hereNs());
                busy.add(idle, step.hereNs());
                whole.add(Math.min(idle, step.hereNs()), step.doneNs());
            } else {
                own.add(step.hereNs(), step.doneNs());
                busy.add(step.readyNs(), step.doneNs());
                whole.add(step.readyNs(), step.doneNs());
            }
        }
        long ownNs = own.totalNs();
        return new Times(trace.rank(), ownNs, busy.totalNs() - ownNs, whole.totalNs());
    }

    Optional<Verdict> slowRank() {
        if (all.size() < 2) {
            return Optional.empty();
        }
        double usual = Median.of(all.stream().map(it -> (double) it.ownNs).toList());
        List<Times> sorted =
                all.stream().sorted(Comparator.comparingLong(Times::ownNs).reversed()).toList();
        Times slow = sorted.getFirst();
        double excessNs = slow.ownNs - usual;
        double nextNs = Math.max(0, sorted.get(1).ownNs - usual);
        boolean isSlow = excessNs >= LEAST_SHARE * slow.allNs && excessNs >= AHEAD * nextNs;
        return isSlow ? Optional.of(verdict(slow)) : Optional.empty();
    }

    private Verdict verdict(Times slow) {
        String culprit = "rank " + slow.rank;
        String sentence =
                "%s is slow: it needed %s of the time for itself, half of the ranks %s or less"
                        .formatted(culprit, percent(slow.ownShare()), percent(usualOwn()));
        return new Verdict(Verdict.Kind.SLOW_RANK, culprit, sentence, waits(slow));
    }

    private double usualOwn() {
        return Median.of(all.stream().map(Times::ownShare).toList());
    }

    private List<String> waits(Times slow) {
        double usual = Median.of(all.stream().map(Times::waitedShare).toList());
        return List.of(
                "it waited for others %s of the time, half of the ranks %s or less"
                        .formatted(percent(slow.waitedShare()), percent(usual)));
    }

    /// What all ranks have in common.
    List<String> text() {
        Times most = all.stream().max(Comparator.comparingLong(Times::ownNs)).orElseThrow();
        return List.of(
                ("the most that a rank needed for itself: %s of the time, rank %d; half of them"
                                + " %s or less")
                        .formatted(percent(most.ownShare()), most.rank, percent(usualOwn())));
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
