package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Collective operations behind one switch take the time that arithmetic says.
class ClosedFormTest {
    private static final int WHOLE = 1 << 30;

    private static final long LARGE = 5L << 30;

    /// Ranks at a leaf of a fabric of two tiers.
    private static final int LEAF = 32;

    private static final Percentage TOLERANCE = Percentage.withPercentage(1);

    @ParameterizedTest
    @CsvSource({"roce,16,65536", "roce,128,16384", "ib,16,65536", "ib,128,16384"})
    void ringTakesTheTimeOfItsSteps(String kind, int ranks, long part) {
        long bytes = part * ranks;
        hold(kind, ranks, Algorithm.RING, WHOLE, 1, allReduce(bytes), form -> form.ringNs(bytes));
    }

    @ParameterizedTest
    @CsvSource({"roce,16,65536", "roce,128,16384", "ib,16,65536", "ib,128,16384"})
    void halvingAndDoublingTakesTheTimeOfItsSteps(String kind, int ranks, long part) {
        long bytes = part * ranks;
        hold(
                kind,
                ranks,
                Algorithm.HALVING_DOUBLING,
                WHOLE,
                1,
                allReduce(bytes),
                form -> form.halvingDoublingNs(bytes));
    }

    @ParameterizedTest
    @CsvSource({"roce,16,65536", "roce,128,16384", "ib,16,65536", "ib,128,16384"})
    void allToAllInStepsTakesTheTimeOfItsSteps(String kind, int ranks, long part) {
        hold(
                kind,
                ranks,
                Algorithm.PAIRWISE,
                WHOLE,
                1,
                allToAll(part * ranks),
                form -> form.allToAllInStepsNs(part));
    }

    // ---- 1,024 ranks: .ci/collectives runs these by night

    /// Messages of one packet, which are short ones: of all steps that fill packets the least work.
    @ParameterizedTest
    @Tag("long")
    @CsvSource({"roce,1024,4096", "ib,1024,4096"})
    void ringOf1024RanksTakesTheTimeOfItsSteps(String kind, int ranks, long part) {
        long bytes = part * ranks;
        BiFunction<Communicator, RankMemory, Work> toTheNext =
                (rank, memory) -> {
                    int next = (rank.rank() + 1) % ranks;
                    int previous = (rank.rank() + ranks - 1) % ranks;
                    return rank.sendReceive(memory.span(0, 4), next, memory.span(4, 4), previous);
                };
        holdLarge(
                kind,
                ranks,
                Algorithm.RING,
                toTheNext,
                allReduce(bytes),
                form -> form.ringNs(bytes));
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"roce,1024,8192", "ib,1024,8192"})
    void halvingAndDoublingOf1024RanksTakesTheTimeOfItsSteps(String kind, int ranks, long part) {
        long bytes = part * ranks;
        holdLarge(
                kind,
                ranks,
                Algorithm.HALVING_DOUBLING,
                allReduce(bytes),
                allReduce(bytes),
                form -> form.halvingDoublingNs(bytes));
    }

    /// It has a link for each pair of ranks, half a million of them for 1,024. The first operation,
    /// with an element for each rank, makes them.
    @ParameterizedTest
    @Tag("long")
    @CsvSource({"roce,256,8192", "ib,256,8192", "ib,256,65536", "roce,1024,8192", "ib,1024,8192"})
    void allToAllOfManyRanksTakesTheTimeOfItsSteps(String kind, int ranks, long part) {
        holdLarge(
                kind,
                ranks,
                Algorithm.PAIRWISE,
                allToAll(4L * ranks),
                allToAll(part * ranks),
                form -> form.allToAllInStepsNs(part));
    }

    /// Behind one Ethernet switch; an InfiniBand switch ends at 254 ports, so that there it is two
    /// tiers, in which no two messages of a step share a link.
    ///
    /// @param first makes the connections
    private static void holdLarge(
            String kind,
            int ranks,
            Algorithm algorithm,
            BiFunction<Communicator, RankMemory, Work> first,
            BiFunction<Communicator, RankMemory, Work> operation,
            ToDoubleFunction<ClosedForm> expected) {
        assumeTrue(Runtime.getRuntime().maxMemory() >= LARGE, "give it -Dtest.memory=6g");
        boolean isInfiniBand = kind.equals("ib");
        FabricSettings settings = settings(kind);
        Topology topology =
                isInfiniBand
                        ? FatTree.twoTiers(LEAF, ranks / LEAF, LEAF).topology()
                        : FatTree.single(ranks).topology();
        ClosedForm form = new ClosedForm(settings, ranks, isInfiniBand ? LEAF : ranks);
        double ns = measure(settings, topology, algorithm, WHOLE, 1, first, operation);
        double formNs = expected.applyAsDouble(form);
        System.out.printf(
                "%s, %s, %,d ranks: %.0f ns, closed form %.0f ns%n",
                algorithm, kind, ranks, ns, formNs);
        assertThat(ns).isCloseTo(formNs, TOLERANCE);
    }

    private static BiFunction<Communicator, RankMemory, Work> allToAll(long bytes) {
        return (rank, memory) -> rank.allToAll(memory.span(0, bytes), memory.span(0, bytes));
    }

    @ParameterizedTest
    @CsvSource("roce,16,4194304")
    void allToAllKeepsEveryLinkBusy(String kind, int ranks, long part) {
        hold(
                kind,
                ranks,
                Algorithm.PAIRWISE,
                1 << 16,
                4,
                allToAll(part * ranks),
                form -> form.allToAllNs(part));
    }

    private static BiFunction<Communicator, RankMemory, Work> allReduce(long bytes) {
        return (rank, memory) -> {
            Span all = memory.span(0, bytes);
            return rank.allReduce(all, all, ElementType.FLOAT32, Reduction.SUM);
        };
    }

    private static void hold(
            String kind,
            int ranks,
            Algorithm algorithm,
            int pieceBytes,
            int window,
            BiFunction<Communicator, RankMemory, Work> operation,
            ToDoubleFunction<ClosedForm> expected) {
        FabricSettings settings = settings(kind);
        Topology topology = FatTree.single(ranks).topology();
        double ns =
                measure(settings, topology, algorithm, pieceBytes, window, operation, operation);
        double form = expected.applyAsDouble(new ClosedForm(settings, ranks));
        assertThat(ns).isCloseTo(form, TOLERANCE);
    }

    private static FabricSettings settings(String kind) {
        return (kind.equals("ib") ? FabricSettings.INFINIBAND : NetworkFormTest.largeSwitch())
                .withCable(Cable.ofMetres(Rate.gbits(400), 10));
    }

    private static double measure(
            FabricSettings settings,
            Topology topology,
            Algorithm algorithm,
            int pieceBytes,
            int window,
            BiFunction<Communicator, RankMemory, Work> first,
            BiFunction<Communicator, RankMemory, Work> operation) {
        Fabric fabric = new Fabric(topology, settings);
        try (RankRun run =
                new RankRun(
                        fabric,
                        _ -> {},
                        it ->
                                it.withMemory(PhantomMemory::in)
                                        .withLanes(1)
                                        .withPieceBytes(pieceBytes)
                                        .withWindow(window)
                                        .withChoice(it.choice().prefer(algorithm)))) {
            // It makes the connections.
            run.measure(rank -> first.apply(rank, rank.allocate(1 << 27)));
            return run.measure(rank -> operation.apply(rank, rank.allocate(1 << 27)));
        }
    }
}
