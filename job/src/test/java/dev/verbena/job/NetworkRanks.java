package dev.verbena.job;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.ReductionSettings;
import dev.verbena.fabric.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// Ranks on a fabric whose switches reduce, with real memory.
final class NetworkRanks implements AutoCloseable {
    final Fabric fabric;
    final RankRun run;

    NetworkRanks(String kind, Topology topology, ReductionSettings offer) {
        this(kind, topology, offer, it -> it);
    }

    NetworkRanks(
            String kind,
            Topology topology,
            ReductionSettings offer,
            UnaryOperator<CommunicatorSettings> change) {
        fabric = new Fabric(topology, settings(kind).withReduction(offer));
        run =
                new RankRun(
                        fabric,
                        _ -> {},
                        it ->
                                change.apply(
                                        it.withPieceBytes(8192)
                                                .withChoice(
                                                        it.choice().prefer(Algorithm.IN_NETWORK))));
    }

    static FabricSettings settings(String kind) {
        return kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
    }

    int size() {
        return run.ranks().size();
    }

    Communicator rank(int number) {
        return run.ranks().get(number);
    }

    /// Floats of very different sizes, whose sums depend on the order.
    List<RankMemory> floats(long seed, int count) {
        List<RankMemory> memories = new ArrayList<>();
        for (Communicator rank : run.ranks()) {
            SplittableRandom random = new SplittableRandom(seed * 1000 + rank.rank());
            RankMemory memory = rank.allocate(4L * count);
            for (int i = 0; i < count; i++) {
                double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(7));
                memory.segment().setAtIndex(JAVA_FLOAT, i, (float) value);
            }
            memories.add(memory);
        }
        return memories;
    }

    Work sum(int rank, RankMemory memory) {
        return rank(rank)
                .allReduce(memory.span(), memory.span(), ElementType.FLOAT32, Reduction.SUM);
    }

    /// Begins a sum at all ranks but some.
    List<Work> sums(List<RankMemory> memories, int... without) {
        List<Work> works = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            int own = rank;
            if (java.util.Arrays.stream(without).noneMatch(it -> it == own)) {
                works.add(sum(rank, memories.get(rank)));
            }
        }
        return works;
    }

    /// Runs until all are over; false when nothing is left to happen before that.
    boolean await(List<Work> works) {
        return run.run(() -> works.stream().allMatch(Work::isOver), Long.MAX_VALUE);
    }

    /// The bytes that every rank has after a sum of floats by seed.
    List<byte[]> summed(long seed, int count) {
        List<RankMemory> memories = floats(seed, count);
        List<Work> works = sums(memories);
        if (!await(works) || !works.stream().allMatch(Work::isDone)) {
            throw new AssertionError("a sum is not over: " + rank(0).failure());
        }
        return memories.stream().map(it -> it.segment().toArray(JAVA_BYTE)).toList();
    }

    @Override
    public void close() {
        run.close();
    }
}
