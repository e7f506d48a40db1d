package dev.verbena.job.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Rails;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.ReductionSettings;
import dev.verbena.fabric.Topology;
import dev.verbena.job.ClosedForm;
import dev.verbena.job.JobLayout;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// At sizes that packets do not reach: arithmetic, limits, and the same result from run to run.
class FlowRunTest {
    private static final int WHOLE = 1 << 30;
    private static final Percentage TOLERANCE = Percentage.withPercentage(1);

    private static FabricSettings settings(String kind) {
        return (kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE)
                .withCable(Cable.ofMetres(Rate.gbits(400), 10));
    }

    private static CommunicatorSettings by(Algorithm algorithm) {
        CommunicatorSettings usual = CommunicatorSettings.of(() -> 0).withLanes(1).withWindow(1);
        return usual.withChoice(usual.choice().prefer(algorithm));
    }

    /// An InfiniBand switch has no 512 ports.
    private static int ranks(String kind) {
        return kind.equals("ib") ? 128 : 512;
    }

    private static long ns(String kind, Algorithm algorithm, FlowCall call) {
        int ranks = ranks(kind);
        FlowRun run =
                new FlowRun(
                        FatTree.single(ranks).topology(),
                        settings(kind),
                        JobLayout.flat(ranks),
                        by(algorithm),
                        QueuePairs.of(1));
        return run.measure(call);
    }

    private static FlowCall call(Collective operation, long bytes) {
        return new FlowCall(operation, bytes, 1, 0, WHOLE);
    }

    @ParameterizedTest
    @CsvSource({"roce,65536", "ib,16384"})
    void aRingTakesTheTimeOfItsSteps(String kind, long part) {
        long bytes = ranks(kind) * part;
        long ns = ns(kind, Algorithm.RING, call(Collective.ALL_REDUCE, bytes));
        double form = new ClosedForm(settings(kind), ranks(kind)).ringNs(bytes);
        assertThat((double) ns).isCloseTo(form, TOLERANCE);
    }

    @ParameterizedTest
    @CsvSource({"roce,65536", "ib,16384"})
    void halvingAndDoublingTakesTheTimeOfItsSteps(String kind, long part) {
        long bytes = ranks(kind) * part;
        long ns = ns(kind, Algorithm.HALVING_DOUBLING, call(Collective.ALL_REDUCE, bytes));
        double form = new ClosedForm(settings(kind), ranks(kind)).halvingDoublingNs(bytes);
        assertThat((double) ns).isCloseTo(form, TOLERANCE);
    }

    @ParameterizedTest
    @CsvSource({"roce,65536", "ib,16384"})
    void anAllToAllInStepsTakesTheTimeOfItsSteps(String kind, long part) {
        long ns = ns(kind, Algorithm.PAIRWISE, call(Collective.ALL_TO_ALL, part));
        double form = new ClosedForm(settings(kind), ranks(kind)).allToAllInStepsNs(part);
        assertThat((double) ns).isCloseTo(form, TOLERANCE);
    }

    @Test
    void aSecondRunGivesTheSameTimeAndAnotherSeedOtherPaths() {
        Topology tree = FatTree.ofRadix(64, 2, 16, 1).topology();
        FlowCall call = new FlowCall(Collective.ALL_REDUCE, 1 << 20, 4, 0, 1 << 17);
        long first = tree(tree, 1).measure(call);
        assertThat(tree(tree, 1).measure(call)).isEqualTo(first);
        assertThat(tree(tree, 2).measure(call)).isNotEqualTo(first);
    }

    @Test
    void changesThatArePutOffChangeLittle() {
        Topology tree = FatTree.ofRadix(1152, 2, 64, 1).topology();
        FlowCall call = new FlowCall(Collective.ALL_REDUCE, 1 << 20, 4, 0, 1 << 20);
        FlowRun exact = tree(tree, 1);
        exact.shares().neverPutOff();
        FlowRun usual = tree(tree, 1);
        double exactNs = exact.measure(call);
        assertThat((double) usual.measure(call)).isCloseTo(exactNs, Percentage.withPercentage(2));
        assertThat(usual.solved()).isLessThan(exact.solved());
    }

    @Test
    void longerPiecesTakeAboutAsLong() {
        Topology tree = FatTree.ofRadix(64, 2, 16, 1).topology();
        JobLayout layout = JobLayout.flat(64);
        CommunicatorSettings usual = by(Algorithm.HALVING_DOUBLING);
        FlowCall call = new FlowCall(Collective.ALL_REDUCE, 1 << 24, 4, 0, 1 << 17);
        FlowCall longer = call.withPieceBytes(1 << 22);
        double expected =
                new FlowRun(tree, settings("ib"), layout, usual, QueuePairs.of(1)).measure(call);
        CommunicatorSettings fewer = longer.ahead(usual);
        assertThat(fewer.links().grants()).isEqualTo(2);
        FlowRun run = new FlowRun(tree, settings("ib"), layout, fewer, QueuePairs.of(1));
        assertThat((double) run.measure(longer)).isCloseTo(expected, Percentage.withPercentage(6));
    }

    private static FlowRun tree(Topology tree, long seed) {
        return new FlowRun(
                tree,
                settings("roce").withSeed(seed),
                JobLayout.flat(tree.hosts()),
                by(Algorithm.HALVING_DOUBLING),
                QueuePairs.of(seed));
    }

    @Test
    void longerPiecesAreTakenUntilThereAreFewEnoughMessages() {
        JobLayout layout = JobLayout.flat(64);
        FlowCall call = new FlowCall(Collective.ALL_REDUCE, 1 << 26, 4, 0, 1 << 17);
        CommunicatorSettings halving = by(Algorithm.HALVING_DOUBLING);
        long messages = call.messages(layout, halving);
        assertThat(call.within(messages, layout, halving)).isEqualTo(call);
        FlowCall fewer = call.within(messages / 3, layout, halving);
        assertThat(fewer.pieceBytes()).isGreaterThan(1 << 17);
        assertThat(fewer.messages(layout, halving)).isLessThanOrEqualTo(messages / 3);
        assertThat(fewer.ahead(halving).links().grants()).isBetween(2, 7);
        assertThat(call.ahead(halving).links()).isEqualTo(halving.links());
        // A tree is a pipeline of short pieces.
        assertThat(call.within(1, layout, by(Algorithm.DOUBLE_TREE))).isEqualTo(call);
        // The messages of this ring are short already.
        FlowCall small = new FlowCall(Collective.ALL_REDUCE, 1 << 16, 4, 0, 1 << 17);
        assertThat(small.within(1, layout, by(Algorithm.RING))).isEqualTo(small);
    }

    @Test
    void whatFlowsDoNotHaveIsRefused() {
        Topology one = FatTree.single(4).topology();
        FabricSettings reducing = settings("ib").withReduction(ReductionSettings.DEFAULT);
        assertThatThrownBy(
                        () ->
                                new FlowRun(
                                        one,
                                        reducing,
                                        JobLayout.flat(4),
                                        by(Algorithm.RING),
                                        QueuePairs.of(1)))
                .hasMessageContaining("reductions in switches");
        assertThatThrownBy(
                        () ->
                                new FlowRun(
                                        FatTree.single(300).topology(),
                                        settings("ib"),
                                        JobLayout.flat(300),
                                        by(Algorithm.RING),
                                        QueuePairs.of(1)))
                .hasMessageContaining("at most 254 ports");
        Topology planes = Rails.ofRadix(4, 2, 8, true).topology();
        FlowRun apart =
                new FlowRun(
                        planes,
                        settings("ib"),
                        JobLayout.flat(8),
                        by(Algorithm.RING),
                        QueuePairs.of(1));
        assertThatThrownBy(() -> apart.measure(call(Collective.ALL_REDUCE, 4096)))
                .hasMessageContaining("no path from host 0 nic 0 to host");
    }
}
