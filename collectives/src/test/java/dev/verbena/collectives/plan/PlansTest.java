package dev.verbena.collectives.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every operation by every algorithm, carried out in arrays in random orders.
class PlansTest {
    private static final int[] SIZES = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 33};

    /// The most messages of one rank to try; more of them only repeat the pattern.
    private static final long MESSAGES = Math.max(40, Seed.campaign(80));

    private static void run(
            IntFunction<Shape> shapes,
            int size,
            Algorithm algorithm,
            boolean halving,
            boolean same,
            Choices choices) {
        Choices own = choices.split();
        try {
            new Trial(shapes, size, same, own).run(algorithm, halving, own);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "%s, %s, in place %s: %s"
                            .formatted(algorithm, shapes.apply(0), same, e.getMessage()),
                    e);
        }
    }

    private static int[] groups(Algorithm algorithm, int size) {
        if (algorithm != Algorithm.HIERARCHICAL) {
            return new int[] {1};
        }
        return Arrays.stream(new int[] {2, 3, 4, 8})
                .filter(g -> g < size && size % g == 0)
                .toArray();
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void carriesOutEveryOperation(Algorithm algorithm) {
        Choices choices = Choices.from(Seed.forTest("PlansTest." + algorithm, 1));
        for (Collective operation : Collective.values()) {
            if (!Plans.supports(operation, algorithm)) {
                continue;
            }
            for (int size : SIZES) {
                for (int count : new int[] {0, 1, 2, size - 1, size, size + 1, 77, 1000}) {
                    for (int group : groups(algorithm, size)) {
                        tryPieces(algorithm, operation, size, count, group, choices);
                    }
                }
            }
        }
    }

    private static void tryPieces(
            Algorithm algorithm,
            Collective operation,
            int size,
            int count,
            int group,
            Choices choices) {
        boolean blocks = !Shape.of(operation, 0, size, count).vector();
        for (int piece : new int[] {1, 3, 16, 100000}) {
            if ((blocks ? (long) count * size : count) / piece > MESSAGES) {
                continue;
            }
            int root = choices.between(0, size - 1);
            int lanes = choices.between(1, 3);
            boolean halving = choices.chance(0.3);
            for (boolean same : new boolean[] {false, true}) {
                IntFunction<Shape> shapes =
                        rank ->
                                Shape.of(operation, rank, size, count)
                                        .withRoot(root)
                                        .withPieces(piece)
                                        .withLanes(lanes)
                                        .withGroups(group);
                run(shapes, size, algorithm, halving, same, choices);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void carriesOutUnequalCounts(Algorithm algorithm) {
        Choices choices = Choices.from(Seed.forTest("PlansTest.unequal " + algorithm, 2));
        for (Collective operation : Collective.values()) {
            boolean one =
                    switch (operation) {
                        case ALL_GATHER, GATHER, SCATTER, REDUCE_SCATTER -> true;
                        case ALL_REDUCE, BROADCAST, REDUCE, ALL_TO_ALL, BARRIER -> false;
                    };
            if (!one
                    || algorithm == Algorithm.HIERARCHICAL
                    || !Plans.supports(operation, algorithm)) {
                continue;
            }
            for (int size : SIZES) {
                for (int i = 0; i < 12; i++) {
                    Counts counts = Counts.of(counts(size, choices));
                    int root = choices.between(0, size - 1);
                    int piece = choices.pick(1, 3, 7, 1000);
                    int lanes = choices.between(1, 3);
                    IntFunction<Shape> shapes =
                            rank ->
                                    Shape.of(operation, rank, size, 0)
                                            .withCounts(counts)
                                            .withRoot(root)
                                            .withLanes(lanes)
                                            .withPieces(piece);
                    run(shapes, size, algorithm, false, i % 2 == 0, choices);
                }
            }
        }
    }

    private static long[] counts(int size, Choices choices) {
        long[] counts = new long[size];
        int kind = choices.between(0, 3);
        for (int i = 0; i < size; i++) {
            counts[i] = choices.chance(kind / 3.0) ? choices.between(0, 40) : 0;
        }
        return counts;
    }

    @Test
    void exchangesUnequalPartsBetweenAllPairs() {
        Choices choices = Choices.from(Seed.forTest("PlansTest.allToAll", 3));
        for (int size : SIZES) {
            for (int i = 0; i < 12; i++) {
                long[][] parts = new long[size][];
                for (int rank = 0; rank < size; rank++) {
                    parts[rank] = counts(size, choices);
                }
                int piece = choices.pick(1, 3, 7, 1000);
                IntFunction<Shape> shapes =
                        rank ->
                                Shape.of(Collective.ALL_TO_ALL, rank, size, 0)
                                        .withCounts(spread(parts[rank]), column(parts, rank))
                                        .withPieces(piece);
                run(shapes, size, Algorithm.PAIRWISE, false, false, choices);
            }
        }
    }

    /// Parts in the reverse order, with gaps.
    private static Counts spread(long[] counts) {
        long[] offsets = new long[counts.length];
        long offset = 0;
        for (int i = counts.length - 1; i >= 0; i--) {
            offsets[i] = offset + 1;
            offset += counts[i] + 2;
        }
        return Counts.at(counts, offsets);
    }

    private static Counts column(long[][] parts, int rank) {
        return Counts.of(Arrays.stream(parts).mapToLong(of -> of[rank]).toArray());
    }

    @Test
    void refusesWhatAnAlgorithmDoesNotCarryOut() {
        assertThatThrownBy(() -> Plans.of(Shape.of(Collective.ALL_TO_ALL, 0, 4, 1), Algorithm.RING))
                .hasMessage("ALL_TO_ALL by ring: not carried out; choose another algorithm");
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, 6, 10).withGroups(4);
        assertThatThrownBy(() -> Plans.of(shape, Algorithm.HIERARCHICAL))
                .hasMessage(
                        "ALL_REDUCE by hierarchical: 6 ranks with 4 on each host: needs two hosts"
                                + " or more, with as many ranks each");
        assertThat(Plans.supports(shape.withGroups(3), Algorithm.HIERARCHICAL)).isTrue();
    }

    @Test
    void refusesMoreMessagesThanALaneCanCount() {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, 2, 1L << 40).withPieces(1);
        for (Algorithm algorithm : Algorithm.values()) {
            if (Plans.supports(shape, algorithm)) {
                assertThatThrownBy(() -> Plans.of(shape, algorithm))
                        .as("%s", algorithm)
                        .isInstanceOf(RuntimeException.class);
            }
        }
    }
}
