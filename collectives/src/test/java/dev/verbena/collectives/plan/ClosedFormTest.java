package dev.verbena.collectives.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages, bytes and times of plans beside the closed forms.
class ClosedFormTest {
    private static long[] sent(Shape shape, Algorithm algorithm) {
        long[] sent = new long[shape.size()];
        Step step = new Step();
        for (int rank = 0; rank < shape.size(); rank++) {
            Plan plan = Plans.of(IdealNetwork.ofRank(shape, rank), algorithm);
            for (int lane = 0; lane < plan.lanes(); lane++) {
                for (int i = 0; i < plan.sends(lane); i++) {
                    plan.send(lane, i, step);
                    sent[rank] += step.count;
                }
            }
        }
        return sent;
    }

    private static long most(Shape shape, Algorithm algorithm) {
        return Arrays.stream(sent(shape, algorithm)).max().orElseThrow();
    }

    private static int messages(Shape shape, Algorithm algorithm) {
        Plan plan = Plans.of(shape, algorithm);
        int sum = 0;
        for (int lane = 0; lane < plan.lanes(); lane++) {
            sum += plan.sends(lane);
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 33})
    void aRingSendsTheLeastBytes(int size) {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, size, size * 1000L).withPieces(300);
        assertThat(sent(shape, Algorithm.RING)).containsOnly(2L * (size - 1) * 1000);
        Shape gather = Shape.of(Collective.ALL_GATHER, 0, size, 1000).withPieces(300);
        assertThat(sent(gather, Algorithm.RING)).containsOnly((size - 1) * 1000L);
        Shape scatter = Shape.of(Collective.REDUCE_SCATTER, 0, size, 1000).withPieces(300);
        assertThat(sent(scatter, Algorithm.RING)).containsOnly((size - 1) * 1000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 33})
    void halvingAndDoublingSendsTheLeastBytesForAnyNumberOfRanks(int size) {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, size, size * 1000L);
        assertThat(sent(shape, Algorithm.HALVING_DOUBLING)).containsOnly(2L * (size - 1) * 1000);
    }

    @Test
    void oneMessageGoesOutInEachStep() {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 3, 8, 800);
        assertThat(messages(shape, Algorithm.RING)).isEqualTo(14);
        assertThat(messages(shape, Algorithm.DOUBLING)).isEqualTo(3);
        assertThat(messages(Shape.of(Collective.BARRIER, 3, 8, 0), Algorithm.DOUBLING))
                .isEqualTo(3);
        assertThat(messages(Shape.of(Collective.ALL_TO_ALL, 3, 8, 1), Algorithm.PAIRWISE))
                .isEqualTo(7);
        assertThat(messages(Shape.of(Collective.BROADCAST, 0, 8, 1), Algorithm.TREE)).isEqualTo(3);
    }

    /// So that those behind one switch, neighbours of a power of two, meet each other at the same
    /// time, and all others at the same time.
    @ParameterizedTest
    @ValueSource(ints = {2, 16, 64})
    void ranksOfAnAllToAllMeetInPairs(int size) {
        Shape shape = Shape.of(Collective.ALL_TO_ALL, 0, size, 1);
        Step step = new Step();
        for (int rank = 0; rank < size; rank++) {
            Plan plan = Plans.of(IdealNetwork.ofRank(shape, rank), Algorithm.PAIRWISE);
            for (int round = 1; round < size; round++) {
                plan.send(0, round - 1, step);
                assertThat(step.peer).isEqualTo(rank ^ round);
                plan.receive(0, round - 1, step);
                assertThat(step.peer).isEqualTo(rank ^ round);
            }
        }
    }

    @Test
    void noRankOfADoubleTreeSendsMoreThanTheVectorTwice() {
        for (int size = 2; size < 70; size++) {
            Shape reduce = Shape.of(Collective.ALL_REDUCE, 0, size, 1000).withPieces(10);
            assertThat(most(reduce, Algorithm.DOUBLE_TREE)).isLessThanOrEqualTo(2000);
            Shape broadcast = Shape.of(Collective.BROADCAST, 0, size, 1000).withPieces(10);
            assertThat(most(broadcast, Algorithm.DOUBLE_TREE)).isLessThanOrEqualTo(1000);
        }
    }

    @Test
    void hostsExchangeTheLeastBytes() {
        Shape shape = Shape.of(Collective.ALL_REDUCE, 0, 12, 12000).withGroups(4);
        long[] between = new long[3];
        Step step = new Step();
        for (int rank = 0; rank < 12; rank++) {
            Plan plan = Plans.of(IdealNetwork.ofRank(shape, rank), Algorithm.HIERARCHICAL);
            for (int lane = 0; lane < plan.lanes(); lane++) {
                for (int i = 0; i < plan.sends(lane); i++) {
                    plan.send(lane, i, step);
                    between[rank / 4] += step.peer / 4 == rank / 4 ? 0 : step.count;
                }
            }
        }
        assertThat(between).containsOnly(2 * 2 * 12000 / 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void aRingTakesTheTimeOfTheClosedForm(int size) {
        for (int lanes = 1; lanes <= 2; lanes++) {
            for (long piece : new long[] {2_000, 10_000, 1_000_000}) {
                long count = size * 100_000L;
                Shape shape =
                        Shape.of(Collective.ALL_REDUCE, 0, size, count)
                                .withPieces(piece)
                                .withLanes(lanes);
                double latency = 2_000;
                double closed = 2.0 * (size - 1) * (count / (double) size + latency);
                double time = IdealNetwork.time(shape, Algorithm.RING, latency, 1);
                assertThat(time).isLessThanOrEqualTo(closed * 1.01);
                assertThat(time).isGreaterThanOrEqualTo(closed * 0.97 - 2 * size * latency);
            }
        }
    }

    @Test
    void aPipelinedChainTakesLittleMoreThanOneTransfer() {
        for (Collective operation : List.of(Collective.BROADCAST, Collective.REDUCE)) {
            Shape shape = Shape.of(operation, 0, 8, 1_000_000).withPieces(10_000);
            double time = IdealNetwork.time(shape, Algorithm.RING, 1_000, 1);
            assertThat(time).isLessThan(1_000_000 + 8 * (10_000 + 1_000) + 20_000);
        }
    }

    @Test
    void aDoubleTreeTakesLittleMoreThanTwoTransfers() {
        for (int size : new int[] {4, 15, 16, 33}) {
            Shape shape = Shape.of(Collective.ALL_REDUCE, 0, size, 1_000_000).withPieces(2_000);
            double time = IdealNetwork.time(shape, Algorithm.DOUBLE_TREE, 1_000, 1);
            assertThat(time).as("%d ranks", size).isLessThan(1.45 * 2_000_000);
        }
    }

    /// The model need not be exact; it must not mistake the order of algorithms. A double tree
    /// takes longer here, because a message occupies both links alone and no colours order the
    /// messages.
    @Test
    void theEstimatesAreNearTheTimesOfAnIdealNetwork() {
        Costs costs = new Costs(2_000, 0.001, 1e9, 2_000, 1e9, 1e15);
        CostModel model = new CostModel(costs, 1);
        List<String> wrong = new ArrayList<>();
        for (Collective operation : Collective.values()) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (long count : new long[] {1, 100_000, 1_000_000}) {
                    Shape shape = Shape.of(operation, 0, 8, count).withPieces(20_000);
                    if (algorithm == Algorithm.HIERARCHICAL) {
                        shape = shape.withGroups(4);
                    }
                    if (!Plans.supports(shape, algorithm)) {
                        continue;
                    }
                    double time = IdealNetwork.time(shape, algorithm, 2_000, 1);
                    double estimate = model.estimate(shape, algorithm).seconds() * 1e9;
                    if (Math.abs(estimate / time - 1) > 0.35) {
                        wrong.add(
                                "%s by %s, %d elements: %.0f, estimated %.0f"
                                        .formatted(operation, algorithm, count, time, estimate));
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void theEstimatedBytesAreThoseOfTheBusiestRank() {
        CostModel model = new CostModel(Costs.roce(100), 1);
        for (Collective operation : Collective.values()) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (int size : new int[] {2, 4, 6, 8, 12}) {
                    Shape shape = Shape.of(operation, 0, size, 5040).withGroups(2);
                    if (!Plans.supports(shape, algorithm)) {
                        continue;
                    }
                    long most = most(shape, algorithm);
                    assertThat((double) model.estimate(shape, algorithm).bytes())
                            .as("%s by %s, %d ranks", operation, algorithm, size)
                            .isCloseTo((double) most, within(1.0));
                }
            }
        }
    }
}
