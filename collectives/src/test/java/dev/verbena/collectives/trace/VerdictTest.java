package dev.verbena.collectives.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.trace.TracedStep.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Verdicts on traces that are made up.
class VerdictTest {
    private static final int OPERATIONS = 10;
    private static final long PERIOD_NS = 1000;

    /// What a rank does in an operation that takes 1000 ns.
    private interface Habit {
        List<TracedStep> steps(int rank, int operation, long fromNs);
    }

    private static List<RankTrace> traces(int ranks, Habit habit) {
        List<RankTrace> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            List<TracedStep> steps = new ArrayList<>();
            for (int i = 0; i < OPERATIONS; i++) {
                steps.addAll(habit.steps(rank, i + 1, i * PERIOD_NS));
            }
            all.add(new RankTrace(rank, steps, 0));
        }
        return all;
    }

    private static TracedStep operation(int number, long readyNs, long beginNs, long endNs) {
        return new TracedStep(
                Kind.OPERATION, 0, 0, number, 0, 0, readyNs, beginNs, endNs, StepTrace.NONE);
    }

    /// A receive that waits until `hereNs` and is dealt with until `doneNs`.
    private static TracedStep receive(int operation, long readyNs, long hereNs, long doneNs) {
        return new TracedStep(
                Kind.RECEIVE, 0, 1, operation, 0, 100, readyNs, hereNs, doneNs, StepTrace.NONE);
    }

    private static TracedStep send(int operation, int peer, long atNs, long ackedNs) {
        return new TracedStep(Kind.SEND, 0, peer, operation, 0, 8192, atNs, atNs, atNs, ackedNs);
    }

    private static Verdict ofWork(long... ownNs) {
        return Verdict.of(
                traces(
                        ownNs.length,
                        (rank, operation, fromNs) ->
                                List.of(
                                        operation(operation, fromNs, fromNs, fromNs + PERIOD_NS),
                                        receive(
                                                operation,
                                                fromNs,
                                                fromNs + PERIOD_NS - ownNs[rank],
                                                fromNs + PERIOD_NS))));
    }

    @Test
    void namesTheRankThatNeedsMuchForItself() {
        Verdict verdict = ofWork(50, 60, 55, 400, 45);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.SLOW_RANK);
        assertThat(verdict.culprit()).isEqualTo("rank 3");
        assertThat(verdict.sentence())
                .startsWith("rank 3 is slow: it needed 40 % of the time for itself")
                .contains("half of the ranks 6 % or less");
        assertThat(verdict.reasons().getFirst()).startsWith("it waited for others 60 %");
    }

    @Test
    void namesNoRankForWhatCostsLittle() {
        assertThat(ofWork(50, 60, 55, 140, 45).kind()).isEqualTo(Verdict.Kind.NONE);
    }

    @Test
    void namesNoRankThatIsNotFarAhead() {
        Verdict verdict = ofWork(50, 60, 300, 400, 45);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NONE);
        assertThat(verdict.sentence()).isEqualTo("no rank, pair or link stands out");
        assertThat(verdict.reasons().getFirst()).contains("40 % of the time, rank 3");
    }

    @Test
    void workOfSeveralLanesAtATimeCountsOnce() {
        List<RankTrace> traces =
                traces(
                        4,
                        (rank, operation, fromNs) -> {
                            List<TracedStep> steps = new ArrayList<>();
                            steps.add(operation(operation, fromNs, fromNs, fromNs + PERIOD_NS));
                            for (int i = 0; i < (rank == 2 ? 8 : 1); i++) {
                                long atNs = fromNs + 880 + i;
                                steps.add(receive(operation, fromNs, atNs, atNs + 50));
                            }
                            return steps;
                        });
        assertThat(Verdict.of(traces).kind()).isEqualTo(Verdict.Kind.NONE);
    }

    @Test
    void namesTheRankThatComesLate() {
        List<RankTrace> traces =
                traces(
                        4,
                        (rank, operation, fromNs) -> {
                            long beginNs = fromNs + (rank == 1 ? 500 : 10);
                            return List.of(
                                    operation(operation, fromNs, beginNs, fromNs + PERIOD_NS));
                        });
        Verdict verdict = Verdict.of(traces);
        assertThat(verdict.culprit()).isEqualTo("rank 1");
        assertThat(verdict.sentence()).contains("needed 49 % of the time");
    }

    @Test
    void aRankThatEndsEarlyAndBeginsWithTheOthersIsNotLate() {
        List<RankTrace> traces =
                traces(
                        4,
                        (rank, operation, fromNs) -> {
                            long readyNs = fromNs - (rank == 1 ? 600 : 0);
                            return List.of(
                                    operation(
                                            operation,
                                            readyNs,
                                            fromNs,
                                            fromNs + (rank == 1 ? 400 : PERIOD_NS)));
                        });
        assertThat(Verdict.of(traces).kind()).isEqualTo(Verdict.Kind.NONE);
    }

    /// All ranks send to all others; `tookNs` is by pair.
    private static Verdict ofPairs(int ranks, PairTime tookNs) {
        return Verdict.of(
                traces(
                        ranks,
                        (rank, operation, fromNs) -> {
                            List<TracedStep> steps = new ArrayList<>();
                            steps.add(operation(operation, fromNs, fromNs, fromNs + PERIOD_NS));
                            for (int peer = 0; peer < ranks; peer++) {
                                if (peer != rank) {
                                    long took = tookNs.of(rank, peer);
                                    steps.add(send(operation, peer, fromNs, fromNs + took));
                                }
                            }
                            return steps;
                        }));
    }

    private interface PairTime {
        long of(int from, int to);
    }

    @Test
    void namesTheSlowPairAndItsDirection() {
        Verdict verdict = ofPairs(4, (from, to) -> from == 2 && to == 1 ? 400 : 100);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.SLOW_PAIR);
        assertThat(verdict.culprit()).isEqualTo("pair 2 to 1");
        assertThat(verdict.sentence()).contains("4.0 times as long as usual");
    }

    @Test
    void namesTheLinkOfARankThatAllItsPairsShare() {
        Verdict verdict = ofPairs(6, (from, to) -> from == 3 || to == 3 ? 500 : 100);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.SLOW_LINK);
        assertThat(verdict.culprit()).isEqualTo("link of rank 3");
    }

    @Test
    void namesNoPairThatAChanceCollisionExplains() {
        Verdict verdict = ofPairs(4, (from, to) -> from == 2 && to == 1 ? 280 : 100);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NONE);
    }

    @Test
    void namesNoPairOfSeveralThatAreSlow() {
        Verdict verdict = ofPairs(6, (from, to) -> from + to == 5 && from < 3 ? 400 : 100);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NONE);
    }

    @Test
    void namesNothingOfARankAlone() {
        assertThat(ofWork(400).kind()).isEqualTo(Verdict.Kind.NONE);
    }
}
