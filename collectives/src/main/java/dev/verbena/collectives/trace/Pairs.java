package dev.verbena.collectives.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// How long messages between pairs of ranks are under way, beside others of their length.
///
/// From the post of a message to its acknowledgement by one clock, so that waiting does not spread
/// into it: a message is posted when the receiver has memory for it.
final class Pairs {
    /// Messages that a pair must have for a verdict.
    static final int MESSAGES_LEAST = 8;

    /// Two flows that share a link by chance take twice as long, and three are rare.
    static final double SLOW = 3;

    /// The slow pair is so much slower than all others, but for the way back.
    static final double AHEAD = 2;

    /// @param slowness of its message in the middle: how often the usual time
    private record Pair(int from, int to, int messages, double slowness) {
        boolean touches(int rank) {
            return from == rank || to == rank;
        }

        boolean isBackOf(Pair other) {
            return from == other.to && to == other.from;
        }
    }

    private Pairs() {}

    static Optional<Verdict> slow(List<Message> messages) {
        List<Pair> pairs = pairs(messages);
        if (pairs.size() < 3) {
            return Optional.empty();
        }
        pairs.sort(Comparator.comparingDouble(Pair::slowness).reversed());
        Pair slowest = pairs.getFirst();
        if (slowest.slowness < SLOW) {
            return Optional.empty();
        }
        for (int rank : new int[] {slowest.from, slowest.to}) {
            List<Pair> own = pairs.stream().filter(it -> it.touches(rank)).toList();
            boolean isWhole =
                    own.size() > 2
                            && own.stream().allMatch(it -> it.slowness >= SLOW)
                            && next(pairs, it -> !it.touches(rank)) * AHEAD <= slowest.slowness;
            if (isWhole) {
                return Optional.of(ofRank(rank, own));
            }
        }
        double next = next(pairs, it -> !it.equals(slowest) && !it.isBackOf(slowest));
        return next * AHEAD <= slowest.slowness ? Optional.of(of(slowest)) : Optional.empty();
    }

    private static double next(List<Pair> pairs, Predicate<Pair> which) {
        return pairs.stream().filter(which).mapToDouble(Pair::slowness).max().orElse(1);
    }

    private static List<Pair> pairs(List<Message> messages) {
        Map<Long, Double> usual = Message.usualNs(messages);
        Map<Long, List<Double>> found = new HashMap<>();
        for (Message each : messages) {
            long key = (long) each.from() << 32 | each.to();
            found.computeIfAbsent(key, _ -> new ArrayList<>())
                    .add(each.tookNs() / usual.getOrDefault(each.bytes(), 1.0));
        }
        List<Pair> pairs = new ArrayList<>();
        found.forEach(
                (key, ratios) -> {
                    if (ratios.size() >= MESSAGES_LEAST) {
                        int from = (int) (key >>> 32);
                        int to = (int) (long) key;
                        pairs.add(new Pair(from, to, ratios.size(), Median.of(ratios)));
                    }
                });
        return pairs;
    }

    private static Verdict of(Pair pair) {
        String culprit = "pair %d to %d".formatted(pair.from, pair.to);
        String sentence =
                String.format(
                        Locale.ROOT,
                        "%s is slow: its messages were under way %.1f times as long as usual",
                        culprit,
                        pair.slowness);
        List<String> reasons =
                List.of("%,d messages of that pair were seen".formatted(pair.messages));
        return new Verdict(Verdict.Kind.SLOW_PAIR, culprit, sentence, reasons);
    }

    private static Verdict ofRank(int rank, List<Pair> own) {
        String culprit = "link of rank " + rank;
        double least = own.stream().mapToDouble(Pair::slowness).min().orElse(1);
        String sentence =
                String.format(
                        Locale.ROOT,
                        "%s is slow: messages of all its %d pairs were under way %.1f times as long"
                                + " as usual, or more",
                        culprit,
                        own.size(),
                        least);
        return new Verdict(Verdict.Kind.SLOW_LINK, culprit, sentence, List.of());
    }
}
