package dev.verbena.job.flow;

import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Rails;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import dev.verbena.job.HostCopy;
import dev.verbena.job.JobLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One comparison of both levels: a row of docs/flow-level.md.
///
/// @param shape one switch, two tiers of switches, or hosts with four GPUs on rails
/// @param isUsual whether every run of the tests has it; the others are for the night
record LevelCase(
        String kind,
        Shape shape,
        int ranks,
        Collective operation,
        Algorithm algorithm,
        long bytes,
        long seed,
        boolean isUsual) {
    enum Shape {
        ONE("one switch"),
        TWO("two tiers"),
        RAILS("4 GPUs a host"),
        COPIED("4 GPUs a host, copies");

        private final String text;

        Shape(String text) {
            this.text = text;
        }
    }

    private static final int METRES = 10;
    private static final int PIECE_BYTES = 1 << 17;
    private static final long SMALL = 1 << 13;
    private static final long MIDDLE = 1 << 18;
    private static final long LARGE = 1 << 22;

    private record By(Collective operation, Algorithm algorithm) {}

    private static final List<By> FLAT =
            List.of(
                    new By(Collective.ALL_REDUCE, Algorithm.RING),
                    new By(Collective.ALL_REDUCE, Algorithm.HALVING_DOUBLING),
                    new By(Collective.ALL_REDUCE, Algorithm.DOUBLE_TREE),
                    new By(Collective.ALL_TO_ALL, Algorithm.PAIRWISE));

    static List<LevelCase> all() {
        List<LevelCase> all = new ArrayList<>();
        for (String kind : List.of("roce", "ib")) {
            for (Shape shape : List.of(Shape.ONE, Shape.TWO)) {
                for (int ranks : new int[] {16, 64, 128}) {
                    for (By by : FLAT) {
                        for (long bytes : new long[] {SMALL, MIDDLE, LARGE}) {
                            boolean isUsual = ranks == 16 || (ranks == 64 && bytes == MIDDLE);
                            if (ranks < 128 || bytes == MIDDLE) {
                                all.add(of(kind, shape, ranks, by, bytes, 1, isUsual));
                            }
                        }
                    }
                }
            }
            By hierarchical = new By(Collective.ALL_REDUCE, Algorithm.HIERARCHICAL);
            By gather = new By(Collective.ALL_GATHER, Algorithm.RING);
            By spread = new By(Collective.BROADCAST, Algorithm.DOUBLE_TREE);
            for (long bytes : new long[] {MIDDLE, LARGE}) {
                all.add(of(kind, Shape.RAILS, 32, hierarchical, bytes, 1, true));
                all.add(of(kind, Shape.COPIED, 32, hierarchical, bytes, 1, true));
                all.add(of(kind, Shape.TWO, 24, gather, bytes, 1, true));
                all.add(of(kind, Shape.TWO, 24, spread, bytes, 1, true));
            }
        }
        // Collisions are others with another seed.
        for (long seed = 2; seed <= 3; seed++) {
            for (By by : FLAT) {
                all.add(of("roce", Shape.TWO, 64, by, LARGE, seed, false));
            }
        }
        return all;
    }

    private static LevelCase of(
            String kind, Shape shape, int ranks, By by, long bytes, long seed, boolean isUsual) {
        long whole = bytes / ranks * ranks;
        return new LevelCase(kind, shape, ranks, by.operation, by.algorithm, whole, seed, isUsual);
    }

    BothLevels.Times times() {
        FabricSettings usual = kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
        FabricSettings settings =
                usual.withCable(Cable.ofMetres(Rate.gbits(400), METRES)).withSeed(seed);
        JobLayout flat = JobLayout.flat(ranks);
        JobLayout layout =
                switch (shape) {
                    case ONE, TWO -> flat;
                    case RAILS -> JobLayout.of(ranks / 4, 4);
                    case COPIED -> JobLayout.of(ranks / 4, 4).withCopy(HostCopy.USUAL);
                };
        Topology between =
                switch (shape) {
                    case ONE -> FatTree.single(ranks).topology();
                    case TWO -> FatTree.ofRadix(ranks, 2, ranks <= 32 ? 8 : 16, 1).topology();
                    case RAILS, COPIED -> Rails.ofRadix(ranks / 4, 4, 8, true).topology();
                };
        return new BothLevels(between, settings, layout, operation, algorithm, bytes, PIECE_BYTES)
                .times();
    }

    /// On InfiniBand many senders fill the buffers of a switch's inputs, so that other packets wait
    /// too; flows have no buffers. In an all-to-all of these numbers of ranks each has one sender
    /// at a time.
    boolean isOutside() {
        return kind.equals("ib")
                && ranks > 16
                && bytes >= LARGE
                && algorithm == Algorithm.DOUBLE_TREE;
    }

    /// On two tiers a hash chooses paths, on which flows collide.
    double tolerance() {
        if (isOutside()) {
            return 0.25;
        }
        return kind.equals("roce") && shape == Shape.TWO ? 0.10 : 0.05;
    }

    String row(BothLevels.Times times) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %s, %s | %,d | %d | %.2f | %.2f | %+.2f %%%s |",
                kind,
                shape.text,
                ranks,
                operation.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                algorithm,
                bytes,
                seed,
                times.packetNs() / 1000.0,
                times.flowNs() / 1000.0,
                100 * times.error(),
                isOutside() ? ", outside" : "");
    }

    /// What the row begins with.
    String head() {
        String whole = row(new BothLevels.Times(1, 1));
        return whole.substring(0, whole.indexOf("| " + seed + " |") + 2) + seed + " |";
    }

    @Override
    public String toString() {
        return head();
    }
}
