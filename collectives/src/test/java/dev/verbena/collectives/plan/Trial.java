package dev.verbena.collectives.plan;

import dev.verbena.testkit.Choices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/// One collective operation of all ranks: inputs, the plans carried out, and what must come out.
final class Trial {
    private final List<Shape> shapes = new ArrayList<>();
    private final Shape shape;
    private final Collective operation;
    private final int size;
    private final double[][] inputs;
    private final double[][] original;
    private final double[][] outputs;
    private final int[] inPlace;
    private final boolean same;

    Trial(IntFunction<Shape> ofRank, int size, boolean same, Choices choices) {
        this.size = size;
        this.same = same;
        for (int i = 0; i < size; i++) {
            shapes.add(ofRank.apply(i));
        }
        shape = shapes.getFirst();
        operation = shape.operation();
        inputs = new double[size][];
        original = new double[size][];
        outputs = new double[size][];
        inPlace = new int[size];
        for (int i = 0; i < size; i++) {
            allocate(i, choices);
        }
    }

    Rehearsal run(Algorithm algorithm, boolean halving, Choices choices) {
        List<Plan> plans = new ArrayList<>();
        for (Shape each : shapes) {
            plans.add(Plans.of(each, algorithm, halving));
        }
        Rehearsal rehearsal = new Rehearsal(plans, inputs, outputs, inPlace, choices);
        rehearsal.run();
        for (int i = 0; i < size; i++) {
            check(i);
        }
        return rehearsal;
    }

    private void allocate(int rank, Choices choices) {
        long in = inputCount(rank);
        long out = outputCount(rank);
        original[rank] = new double[(int) in];
        for (int i = 0; i < in; i++) {
            original[rank][i] = choices.between(1L, 1L << 40) / 3.0;
        }
        boolean both = in > 0 && out > 0 && operation != Collective.ALL_TO_ALL;
        if (!same || !both) {
            inputs[rank] = original[rank].clone();
            outputs[rank] = new double[(int) out];
            Arrays.fill(outputs[rank], Double.NaN);
            return;
        }
        int own = shape.vector() ? 0 : (int) shape.blocks().wholeStart(rank);
        inPlace[rank] = in >= out && in > 0 && !gathers() ? -own : own;
        double[] memory = new double[(int) Math.max(in, out)];
        Arrays.fill(memory, Double.NaN);
        System.arraycopy(original[rank], 0, memory, Math.max(0, inPlace[rank]), (int) in);
        inputs[rank] = memory;
        outputs[rank] = memory;
    }

    private boolean gathers() {
        return operation == Collective.ALL_GATHER || operation == Collective.GATHER;
    }

    private long own(int rank) {
        return shape.blocks().whole(rank);
    }

    private long inputCount(int rank) {
        return switch (operation) {
            case ALL_REDUCE, REDUCE -> shape.count();
            case BROADCAST -> rank == shape.root() ? shape.count() : 0;
            case REDUCE_SCATTER -> shape.total();
            case ALL_GATHER, GATHER -> own(rank);
            case SCATTER -> rank == shape.root() ? shape.total() : 0;
            case ALL_TO_ALL -> extent(shapes.get(rank).blocks());
            case BARRIER -> 0;
        };
    }

    private long outputCount(int rank) {
        return switch (operation) {
            case ALL_REDUCE, BROADCAST -> shape.count();
            case REDUCE -> rank == shape.root() ? shape.count() : 0;
            case REDUCE_SCATTER, SCATTER -> own(rank);
            case ALL_GATHER -> shape.total();
            case GATHER -> rank == shape.root() ? shape.total() : 0;
            case ALL_TO_ALL -> extent(shapes.get(rank).received());
            case BARRIER -> 0;
        };
    }

    private long extent(Blocks blocks) {
        long most = 0;
        for (int i = 0; i < size; i++) {
            most = Math.max(most, blocks.wholeStart(i) + blocks.whole(i));
        }
        return most;
    }

    private void check(int rank) {
        switch (operation) {
            case ALL_REDUCE -> {
                requireSum(rank, 0, 0, shape.count());
                int mismatch = Arrays.mismatch(outputs[0], outputs[rank]);
                require(mismatch < 0, rank, mismatch, 0, 0);
            }
            case REDUCE -> {
                if (rank == shape.root()) {
                    requireSum(rank, 0, 0, shape.count());
                }
            }
            case REDUCE_SCATTER -> requireSum(rank, shape.blocks().wholeStart(rank), 0, own(rank));
            case BROADCAST -> requireCopy(rank, 0, shape.root(), 0, shape.count());
            case ALL_GATHER -> requireAll(rank);
            case GATHER -> {
                if (rank == shape.root()) {
                    requireAll(rank);
                }
            }
            case SCATTER ->
                    requireCopy(rank, 0, shape.root(), shape.blocks().wholeStart(rank), own(rank));
            case ALL_TO_ALL -> {
                for (int from = 0; from < size; from++) {
                    Blocks sent = shapes.get(from).blocks();
                    Blocks received = shapes.get(rank).received();
                    require(sent.whole(rank) == received.whole(from), rank, from, 0, 0);
                    requireCopy(
                            rank,
                            received.wholeStart(from),
                            from,
                            sent.wholeStart(rank),
                            sent.whole(rank));
                }
            }
            case BARRIER -> {}
        }
    }

    private void requireAll(int rank) {
        for (int from = 0; from < size; from++) {
            requireCopy(rank, shape.blocks().wholeStart(from), from, 0, own(from));
        }
    }

    private void requireCopy(int rank, long at, int from, long offset, long count) {
        for (int i = 0; i < count; i++) {
            double is = output(rank, at + i);
            double must = original[from][(int) offset + i];
            require(is == must, rank, at + i, is, must);
        }
    }

    private void requireSum(int rank, long inputOffset, long at, long count) {
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (double[] input : original) {
                sum += input[(int) inputOffset + i];
            }
            double is = output(rank, at + i);
            require(Math.abs(is - sum) <= 1e-12 * size * sum, rank, at + i, is, sum);
        }
    }

    private double output(int rank, long offset) {
        return outputs[rank][(int) offset + Math.max(0, -inPlace[rank])];
    }

    private static void require(boolean holds, int rank, long at, double is, double must) {
        if (!holds) {
            throw new AssertionError(
                    "rank %d has %s instead of %s at %d".formatted(rank, is, must, at));
        }
    }
}
