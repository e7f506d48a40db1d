package dev.verbena.collectives.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Estimates how long a collective operation takes by each algorithm, and chooses one.
///
/// The formulas are the closed ones for a network without contention: a step takes its latency and
/// its bytes at the rate of one link, and a step of several pieces overlaps with the next one. All
/// ranks choose alike, because an estimate does not depend on the rank.
public final class CostModel {
    private final Costs costs;
    private final @Nullable NetworkCosts network;
    private final int elementBytes;

    public CostModel(Costs costs, int elementBytes) {
        this(costs, null, elementBytes);
    }

    /// @param network null where switches do not reduce
    public CostModel(Costs costs, @Nullable NetworkCosts network, int elementBytes) {
        this.costs = costs;
        this.network = network;
        this.elementBytes = elementBytes;
    }

    /// The algorithm with the least estimated time.
    public Algorithm choose(Shape shape) {
        return estimates(shape).getFirst().algorithm();
    }

    /// Every algorithm that carries out the shape, the fastest first.
    public List<Estimate> estimates(Shape shape) {
        List<Estimate> all = new ArrayList<>();
        for (Algorithm algorithm : Algorithm.values()) {
            if (supports(shape, algorithm)) {
                all.add(estimate(shape, algorithm));
            }
        }
        all.sort(Comparator.comparingDouble(Estimate::seconds));
        return all;
    }

    private boolean supports(Shape shape, Algorithm algorithm) {
        return algorithm == Algorithm.IN_NETWORK
                ? network != null && NetworkCosts.supports(shape.operation())
                : Plans.supports(shape, algorithm);
    }

    /// The lines of a table: a head, then every algorithm, the fastest first; the chosen one has a
    /// star.
    public List<String> explain(Shape shape) {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "  %-17s %7s %15s %12s",
                        "algorithm",
                        "steps",
                        "bytes sent",
                        "estimated us"));
        for (Estimate each : estimates(shape)) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%s %-17s %7d %15d %12.1f",
                            lines.size() == 1 ? "*" : " ",
                            each.algorithm(),
                            each.steps(),
                            each.bytes(),
                            each.seconds() * 1e6));
        }
        return lines;
    }

    /// What one algorithm takes; it must carry out the shape.
    public Estimate estimate(Shape shape, Algorithm algorithm) {
        if (!supports(shape, algorithm)) {
            throw new IllegalArgumentException(
                    "%s does not carry out %s".formatted(algorithm, shape.operation()));
        }
        if (shape.size() == 1) {
            return new Estimate(algorithm, 0, 0, 0);
        }
        Terms terms = new Terms(shape);
        return switch (algorithm) {
            case RING -> ring(shape, terms);
            case HALVING_DOUBLING -> halvingDoubling(shape, terms);
            case DOUBLING -> doubling(shape, terms);
            case DOUBLE_TREE -> doubleTree(shape, terms);
            case TREE -> tree(shape, terms);
            case PAIRWISE -> pairwise(shape, terms);
            case HIERARCHICAL -> hierarchical(shape, terms);
            case IN_NETWORK -> inNetwork(shape, terms);
        };
    }

    /// What the formulas are made of. Times are in seconds.
    private final class Terms {
        final int size;
        final int rounds;
        final double bytes;
        final double block;
        final double piece;
        final double latency;
        final double message = costs.messageNs() / 1e9;
        final double perByte;

        Terms(Shape shape) {
            size = shape.size();
            rounds = 32 - Integer.numberOfLeadingZeros(size - 1);
            bytes = (double) shape.total() * elementBytes;
            block = bytes / size;
            piece = (double) shape.pieceElements() * elementBytes;
            boolean within = shape.groupSize() >= size;
            latency = (within ? costs.innerLatencyNs() : costs.latencyNs()) / 1e9 + message;
            perByte = 1 / (within ? costs.innerBytesPerSecond() : costs.bytesPerSecond());
        }

        /// One step of a pipeline in which each piece leaves as soon as it is there.
        double step(double of, boolean reduces, double lat, double byteTime) {
            double part = Math.min(of, piece);
            double messages = part == 0 ? 1 : Math.ceil(of / part);
            double transfer = of * byteTime + messages * message;
            double reduction = reduces ? of / costs.reducedBytesPerSecond() : 0;
            double first = lat + part * byteTime;
            first += reduces ? part / costs.reducedBytesPerSecond() : 0;
            return Math.max(Math.max(transfer, reduction), first);
        }

        double step(double of, boolean reduces) {
            return step(of, reduces, latency, perByte);
        }

        /// A round in which all must be there before the next one begins.
        double round(double of, boolean reduces) {
            double part = Math.min(of, piece);
            double transfer = of * perByte;
            double reduction = reduces ? of / costs.reducedBytesPerSecond() : 0;
            double rest = reduces ? part / costs.reducedBytesPerSecond() : 0;
            return latency + Math.max(transfer + rest, reduction);
        }

        Estimate estimate(Algorithm algorithm, long steps, double sent, double seconds) {
            return new Estimate(algorithm, steps, Math.round(sent), seconds);
        }
    }

    /// Each rank sends its vector once; the network says what that takes.
    private Estimate inNetwork(Shape shape, Terms terms) {
        NetworkCosts known = Objects.requireNonNull(network, "supported only where it is known");
        double bytes = shape.operation() == Collective.BARRIER ? 0 : terms.bytes;
        return terms.estimate(Algorithm.IN_NETWORK, 1, bytes, known.seconds(bytes));
    }

    private Estimate ring(Shape shape, Terms terms) {
        int steps = terms.size - 1;
        double reducing = steps * terms.step(terms.block, true);
        double plain = steps * terms.step(terms.block, false);
        double sent = steps * terms.block;
        return switch (shape.operation()) {
            case ALL_REDUCE ->
                    terms.estimate(Algorithm.RING, 2L * steps, 2 * sent, reducing + plain);
            case REDUCE_SCATTER -> terms.estimate(Algorithm.RING, steps, sent, reducing);
            case ALL_GATHER -> terms.estimate(Algorithm.RING, steps, sent, plain);
            default -> {
                boolean reduces = shape.operation() == Collective.REDUCE;
                double piece = Math.min(terms.piece, terms.bytes);
                double first = steps * terms.step(piece, reduces);
                double others = terms.round(terms.bytes - piece, reduces) - terms.latency;
                yield terms.estimate(Algorithm.RING, steps, terms.bytes, first + others);
            }
        };
    }

    private Estimate halvingDoubling(Shape shape, Terms terms) {
        double sent = (terms.size - 1) * terms.block;
        double seconds = 0;
        for (int distance = 1; distance < terms.size; distance *= 2) {
            double moved = Math.min(distance, terms.size - distance) * terms.block;
            if (shape.operation() != Collective.REDUCE_SCATTER) {
                seconds += terms.round(moved, false);
            }
            if (shape.operation() != Collective.ALL_GATHER) {
                seconds += terms.round(moved, true);
            }
        }
        int phases = shape.operation() == Collective.ALL_REDUCE ? 2 : 1;
        return terms.estimate(
                Algorithm.HALVING_DOUBLING, (long) phases * terms.rounds, phases * sent, seconds);
    }

    private Estimate doubling(Shape shape, Terms terms) {
        if (shape.operation() == Collective.BARRIER) {
            double sent = (double) terms.rounds * elementBytes;
            return terms.estimate(
                    Algorithm.DOUBLING, terms.rounds, sent, terms.rounds * terms.latency);
        }
        if (shape.operation() == Collective.ALL_GATHER) {
            Estimate same = halvingDoubling(shape, terms);
            return new Estimate(Algorithm.DOUBLING, same.steps(), same.bytes(), same.seconds());
        }
        int doublings = 31 - Integer.numberOfLeadingZeros(terms.size);
        boolean folds = Integer.bitCount(terms.size) > 1;
        double seconds = doublings * terms.step(terms.bytes, true);
        if (folds) {
            seconds += terms.step(terms.bytes, true) + terms.step(terms.bytes, false);
        }
        int steps = doublings + (folds ? 2 : 0);
        double sent = (doublings + (folds ? 1 : 0)) * terms.bytes;
        return terms.estimate(Algorithm.DOUBLING, steps, sent, seconds);
    }

    /// The busiest rank moves the vector once in each direction, and in an all-reduce twice.
    private Estimate doubleTree(Shape shape, Terms terms) {
        boolean both = shape.operation() == Collective.ALL_REDUCE;
        int ranks = both ? terms.size : terms.size - 1;
        int height = 31 - Integer.numberOfLeadingZeros(ranks);
        int hops = both ? 2 * height : height + 1;
        boolean reduces = shape.operation() != Collective.BROADCAST;
        double piece = Math.min(terms.piece, terms.bytes / 2);
        double hop = terms.step(piece, reduces);
        double sent = both ? (ranks == 2 ? 1 : ranks == 3 ? 1.5 : 2) * terms.bytes : terms.bytes;
        double stream = sent * terms.perByte;
        if (reduces) {
            stream = Math.max(stream, terms.bytes / costs.reducedBytesPerSecond());
        }
        return terms.estimate(Algorithm.DOUBLE_TREE, hops, sent, hops * hop + stream);
    }

    private Estimate tree(Shape shape, Terms terms) {
        int rounds = terms.rounds;
        double ranks = terms.size - 1;
        int half = Integer.highestOneBit(terms.size - 1);
        double below = Math.max(Math.min(half, terms.size - half), half >> 1);
        return switch (shape.operation()) {
            case BROADCAST ->
                    terms.estimate(
                            Algorithm.TREE,
                            rounds,
                            rounds * terms.bytes,
                            rounds * terms.round(terms.bytes, false));
            case REDUCE ->
                    terms.estimate(
                            Algorithm.TREE,
                            rounds,
                            terms.bytes,
                            rounds * terms.round(terms.bytes, true));
            case BARRIER -> {
                double sent = (double) rounds * elementBytes;
                yield terms.estimate(Algorithm.TREE, 2L * rounds, sent, 2 * rounds * terms.latency);
            }
            default -> {
                boolean gather = shape.operation() == Collective.GATHER;
                double moved = ranks * terms.block * terms.perByte;
                double sent = (gather ? below : ranks) * terms.block;
                yield terms.estimate(Algorithm.TREE, rounds, sent, rounds * terms.latency + moved);
            }
        };
    }

    /// Messages of different rounds do not wait for each other, so that the latency counts once.
    private Estimate pairwise(Shape shape, Terms terms) {
        int rounds = terms.size - 1;
        boolean gather = shape.operation() == Collective.GATHER;
        boolean reduces = shape.operation() == Collective.REDUCE_SCATTER;
        double seconds = terms.round(rounds * terms.block, reduces) + rounds * terms.message;
        double sent = (gather ? 1 : rounds) * terms.block;
        return terms.estimate(Algorithm.PAIRWISE, rounds, sent, seconds);
    }

    /// Both kinds of links work at once: the slower one takes its time, and of the other only one
    /// chunk is not hidden.
    private Estimate hierarchical(Shape shape, Terms terms) {
        int group = shape.groupSize();
        int hosts = terms.size / group;
        boolean vector = shape.operation() == Collective.ALL_REDUCE;
        boolean reduces = shape.operation() != Collective.ALL_GATHER;
        double inner = costs.innerLatencyNs() / 1e9 + (group - 1) * terms.message;
        double within = (group - 1) * terms.block * hosts;
        int phases = vector ? 2 : 1;
        double innerTime = phases * within / costs.innerBytesPerSecond();
        double chunks = vector ? Math.max(1, Math.ceil(terms.block / terms.piece)) : (double) hosts;
        // A lane has one chunk on the ring at a time.
        double turns = vector ? Math.ceil(chunks / shape.lanes()) : 1;
        double part = vector ? terms.block / chunks : terms.block;
        double ring = 0;
        if (reduces) {
            double alone = turns * terms.step(part, true);
            ring += (hosts - 1) * Math.max(terms.step(terms.block, true), alone);
        }
        if (vector || !reduces) {
            double alone = turns * terms.step(part, false);
            ring += (hosts - 1) * Math.max(terms.step(terms.block, false), alone);
        }
        double slowest = Math.max(ring, innerTime);
        double others = ring + innerTime - slowest;
        double sent = phases * (within + (hosts - 1) * terms.block);
        double seconds = slowest + others / chunks + phases * inner;
        long steps = (long) phases * (group - 1 + hosts - 1);
        return terms.estimate(Algorithm.HIERARCHICAL, steps, sent, seconds);
    }
}
