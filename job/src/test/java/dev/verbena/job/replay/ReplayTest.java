package dev.verbena.job.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Rate;
import dev.verbena.job.ClosedForm;
import dev.verbena.job.goal.GoalFile;
import dev.verbena.job.goal.GoalText;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.function.BiConsumer;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
    private static final double PS_PER_NS = 1000;

    private static FabricSettings settings(String kind) {
        return (kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE)
                .withCable(Cable.ofMetres(Rate.gbits(400), 10));
    }

    private static Fabric fabric(String kind, int hosts) {
        return new Fabric(FatTree.single(hosts).topology(), settings(kind));
    }

    private static Job job(String text) {
        try {
            return GoalText.read("job.goal", new StringReader(text));
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// Runs a job of so many ranks on one switch, and hands its result to checks.
    private static void run(String text, BiConsumer<Replay, List<RankTimes>> check) {
        run(text, ReplaySettings.DEFAULT, check);
    }

    private static void run(
            String text, ReplaySettings settings, BiConsumer<Replay, List<RankTimes>> check) {
        Job job = job(text);
        Fabric fabric = fabric("roce", Math.max(2, job.ranks().size()));
        try (Replay replay = new Replay(fabric, List.of(job), settings)) {
            replay.run(Long.MAX_VALUE);
            check.accept(replay, replay.times());
        }
    }

    private static void assertOver(Replay replay) {
        assertThat(replay.problem()).isEmpty();
        assertThat(replay.isOver()).isTrue();
    }

    private static double ns(long ps) {
        return ps / PS_PER_NS;
    }

    /// Each rank calculates, sends to the next, and that one begins when it has the message: every
    /// step takes the time of its calculation, its message and a hop.
    @ParameterizedTest
    @CsvSource({"roce,16,4096", "roce,16,65536", "roce,5,3000", "ib,16,65536", "ib,7,1048576"})
    void aChainOfMessagesTakesTheTimeOfItsSteps(String kind, int ranks, long bytes) {
        long calcNs = 700;
        GoalFile file = new GoalFile(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            int calc = file.calc(rank, calcNs, 0);
            if (rank > 0) {
                file.requires(rank, calc, file.receive(rank, bytes, rank - 1, 3, 0, 0));
            }
            if (rank < ranks - 1) {
                file.requires(rank, file.send(rank, bytes, rank + 1, 3, 0, 0), calc);
            }
        }
        try (Replay replay =
                new Replay(
                        fabric(kind, ranks), List.of(job(file.text())), ReplaySettings.DEFAULT)) {
            replay.run(Long.MAX_VALUE);

            assertOver(replay);
            ClosedForm form = new ClosedForm(settings(kind), ranks);
            double expected = ranks * calcNs + form.stepsNs(ranks - 1, bytes);
            RankTimes last = replay.times().getLast();
            assertThat(ns(last.endPs())).isCloseTo(expected, Percentage.withPercentage(1));
            assertThat(last.calcPs()).isEqualTo(calcNs * 1000);
            assertThat(replay.spanPs()).isEqualTo(last.endPs());
        }
    }

    /// A binary tree: a parent sends to its two children, the second after the first.
    @Test
    void aBinaryTreeTakesTheTimeOfItsLongestPath() {
        int ranks = 15;
        long bytes = 1 << 20;
        GoalFile file = new GoalFile(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            int from = rank == 0 ? -1 : file.receive(rank, bytes, (rank - 1) / 2, 0, 0, 0);
            for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; child++) {
                int send = file.send(rank, bytes, child, 0, 0, 0);
                if (from >= 0) {
                    file.requires(rank, send, from);
                }
                from = send;
            }
        }
        run(
                file.text(),
                (replay, times) -> {
                    assertOver(replay);
                    ClosedForm form = new ClosedForm(settings("roce"), ranks);
                    // The second child waits for the acknowledgement of the message to the first.
                    double step = form.stepsNs(1, bytes);
                    double expected = 3 * (step + form.ackNs() + step);
                    assertThat(ns(times.get(14).endPs()))
                            .isCloseTo(expected, Percentage.withPercentage(1));
                    assertThat(times.get(0).messages()).isEqualTo(2);
                    assertThat(times.get(0).sentBytes()).isEqualTo(2 * bytes);
                });
    }

    @Test
    void calculationsOfOneCpuFollowEachOther() {
        run(
                """
                num_ranks 2
                rank 0 {
                calc 1000
                calc 500
                calc 1200 cpu 1
                }
                rank 1 {
                calc 0
                }
                """,
                (replay, times) -> {
                    assertOver(replay);
                    assertThat(times.get(0).endPs()).isEqualTo(1_500_000);
                    assertThat(times.get(0).calcPs()).isEqualTo(1_500_000);
                    assertThat(times.get(1).endPs()).isZero();
                });
    }

    @Test
    void irequiresWaitsForTheStartAlone() {
        run(
                """
                num_ranks 2
                rank 0 {
                a: calc 1000
                b: calc 3000 cpu 1
                c: calc 100 cpu 2
                d: calc 10 cpu 3
                b requires a
                c irequires b
                d requires b
                }
                rank 1 {
                r: recv 8b from 0
                s: calc 20
                s irequires r
                }
                """,
                (replay, times) -> {
                    assertThat(times.get(0).endPs()).isEqualTo(4_010_000);
                    assertThat(times.get(0).calcPs()).isEqualTo(4_010_000);
                    // The receive has started, and never finishes.
                    assertThat(times.get(1).endPs()).isEqualTo(20_000);
                    assertThat(replay.isOver()).isFalse();
                });
    }

    @Test
    void aMessageThatHasArrivedWaitsForItsCpu() {
        run(
                """
                num_ranks 2
                rank 0 {
                send 8b to 1
                }
                rank 1 {
                calc 50000
                recv 8b from 0
                }
                """,
                (replay, times) -> {
                    assertOver(replay);
                    assertThat(times.get(1).endPs()).isEqualTo(50_000_000);
                    assertThat(times.get(1).waitPs()).isZero();
                });
    }

    @Test
    void overheadKeepsTheCpuForEachMessage() {
        String text =
                """
                num_ranks 2
                rank 0 {
                send 8b to 1
                send 8b to 1
                }
                rank 1 {
                recv 8b from 0
                recv 8b from 0
                }
                """;
        run(
                text,
                ReplaySettings.DEFAULT.withOverheadNs(10_000),
                (replay, times) -> {
                    assertOver(replay);
                    // The second leaves after two times the overhead, and is taken after another.
                    double expected = 30_000 + new ClosedForm(settings("roce"), 2).stepsNs(1, 8);
                    assertThat(ns(times.get(1).endPs()))
                            .isCloseTo(expected, Percentage.withPercentage(1));
                });
    }

    @Test
    void messagesOfOnePairDoNotOvertakeEachOther() {
        run(
                """
                num_ranks 2
                rank 0 {
                a: send 1000000b to 1 tag 5
                b: send 10b to 1 tag 5
                b irequires a
                }
                rank 1 {
                x: recv 1000000b from -1 tag -1
                y: recv 10b from 0 tag 5
                y irequires x
                }
                """,
                (replay, _) -> assertOver(replay));
    }

    @Test
    void aLongerMessageThanItsReceiveIsNamed() {
        run(
                """
                num_ranks 2
                rank 0 {
                send 11b to 1
                }
                rank 1 {
                recv 10b from 0
                }
                """,
                (replay, _) ->
                        assertThat(replay.problem())
                                .hasValue(
                                        "rank 1, line 6: receive of 10 bytes from rank 0, tag 0"
                                                + " takes a longer message, of 11 bytes from rank"
                                                + " 0"));
    }

    @Test
    void aReceiveThatNeverGetsAMessageIsADeadlock() {
        run(
                """
                num_ranks 3
                rank 0 {
                a: recv 8b from 1
                b: send 8b to 1
                b requires a
                }
                rank 1 {
                a: recv 8b from 0 tag 9
                b: send 8b to 0
                b requires a
                }
                rank 2 {
                calc 5
                }
                """,
                (replay, _) ->
                        assertThat(replay.problem())
                                .hasValue(
                                        "deadlock: rank 0, line 3: receive of 8 bytes from rank 1,"
                                                + " tag 0 never gets one; rank 1, line 8: receive"
                                                + " of 8 bytes from rank 0, tag 9 never gets one;"
                                                + " 4 nodes on 2 ranks wait for ever"));
    }

    @Test
    void aMessageThatNoRankReceivesIsCounted() {
        run(
                "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n",
                (replay, _) -> {
                    assertOver(replay);
                    assertThat(replay.kept()).isEqualTo(1);
                });
    }

    @Test
    void aRankSendsToItselfWithoutTheFabric() {
        GoalFile file = new GoalFile(1);
        for (int i = 0; i < 50_000; i++) {
            file.send(0, 100, 0, i, 0, 0);
            file.receive(0, 100, 0, i, 0, 0);
        }
        run(
                file.text(),
                (replay, times) -> {
                    assertOver(replay);
                    assertThat(times.getFirst().endPs()).isZero();
                    assertThat(times.getFirst().messages()).isEqualTo(50_000);
                });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, 3_000_000_000L})
    void messagesOfAnyLengthArrive(long bytes) {
        run(
                "num_ranks 2\nrank 0 {\nsend %db to 1\n}\nrank 1 {\nrecv %db from 0\n}\n"
                        .formatted(bytes, bytes),
                (replay, times) -> {
                    assertOver(replay);
                    // Not faster than the cable: 400 Gb/s are 50 bytes in a nanosecond.
                    assertThat(ns(times.get(1).endPs())).isGreaterThan(bytes / 50.0);
                });
    }

    @Test
    void manyMessagesBetweenAllRanksArriveAndARunRepeats() {
        int ranks = 8;
        GoalFile file = new GoalFile(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            for (int i = 0; i < 300; i++) {
                int peer = (rank + 1 + i % (ranks - 1)) % ranks;
                int from = (rank + ranks - 1 - i % (ranks - 1)) % ranks;
                file.send(rank, 2000 + i, peer, i, i % 2, i % 3);
                file.receive(rank, 2000 + i, i % 5 == 0 ? -1 : from, i, 1, 0);
            }
        }
        long[] first = new long[1];
        run(
                file.text(),
                (replay, _) -> {
                    assertOver(replay);
                    first[0] = replay.spanPs();
                });
        run(file.text(), (replay, _) -> assertThat(replay.spanPs()).isEqualTo(first[0]));
    }

    @Test
    void aSecondJobRunsOnTheNextHosts() {
        String text = "num_ranks 2\nrank 0 {\nsend 9b to 1\n}\nrank 1 {\nrecv 9b from 0\n}\n";
        try (Replay replay =
                new Replay(
                        fabric("ib", 4), List.of(job(text), job(text)), ReplaySettings.DEFAULT)) {
            replay.run(Long.MAX_VALUE);

            assertOver(replay);
            List<RankTimes> times = replay.times();
            assertThat(times).extracting(RankTimes::job).containsExactly(0, 0, 1, 1);
            assertThat(times.get(3).endPs()).isEqualTo(times.get(1).endPs()).isPositive();
        }
    }

    @Test
    void aFabricWithTooFewHostsIsRefused() {
        Job job = job("num_ranks 3\nrank 0 {\n}\nrank 1 {\n}\nrank 2 {\n}\n");

        assertThatThrownBy(() -> new Replay(fabric("ib", 2), List.of(job), ReplaySettings.DEFAULT))
                .isInstanceOf(TraceException.class)
                .hasMessage("job.goal: 3 ranks, and the fabric has 2 hosts; use as many hosts");
    }

    @Test
    void aRunEndsAtItsTimeAndGoesOnLater() {
        Job job = job("num_ranks 1\nrank 0 {\ncalc 5000\n}\n");
        try (Replay replay = new Replay(fabric("roce", 2), List.of(job), ReplaySettings.DEFAULT)) {
            assertThat(replay.run(4_999_999)).isFalse();
            assertThat(replay.problem()).isEmpty();
            assertThat(replay.run(5_000_000)).isTrue();
        }
    }
}
