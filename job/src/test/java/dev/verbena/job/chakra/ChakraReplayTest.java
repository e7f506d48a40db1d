package dev.verbena.job.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Rate;
import dev.verbena.job.ClosedForm;
import dev.verbena.job.replay.RankTimes;
import dev.verbena.job.replay.Replay;
import dev.verbena.job.replay.ReplaySettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Traces of Chakra, carried out on one switch.
class ChakraReplayTest {
    private static final FabricSettings SETTINGS =
            FabricSettings.ROCE.withCable(Cable.ofMetres(Rate.gbits(400), 10));
    private static final ReplaySettings RING =
            new ReplaySettings(
                    0,
                    _ -> {},
                    _ -> {},
                    it ->
                            it.withMemory(PhantomMemory::in)
                                    .withLanes(1)
                                    .withPieceBytes(1 << 30)
                                    .withWindow(1)
                                    .withChoice(it.choice().prefer(Algorithm.RING)));

    private static void run(
            int ranks, IntFunction<ChakraFile> file, BiConsumer<Replay, List<RankTimes>> check)
            throws IOException {
        run(ranks, new ChakraGroups(ranks), file, check);
    }

    private static void run(
            int ranks,
            ChakraGroups groups,
            IntFunction<ChakraFile> file,
            BiConsumer<Replay, List<RankTimes>> check)
            throws IOException {
        ChakraTrace trace = new ChakraTrace("job", ranks, groups);
        for (int rank = 0; rank < ranks; rank++) {
            trace.add("job." + rank, new ByteArrayInputStream(file.apply(rank).bytes()));
        }
        Fabric fabric = new Fabric(FatTree.single(ranks).topology(), SETTINGS);
        try (Replay replay = new Replay(fabric, List.of(trace.job()), RING)) {
            replay.run(Long.MAX_VALUE);
            check.accept(replay, replay.times());
        }
    }

    private static void assertOver(Replay replay) {
        assertThat(replay.problem()).isEmpty();
        assertThat(replay.isOver()).isTrue();
    }

    @Test
    void anAllReduceAfterACalculationTakesTheTimeOfItsSteps() throws IOException {
        int ranks = 8;
        long bytes = 8 << 16;
        run(
                ranks,
                _ ->
                        new ChakraFile()
                                .compute(1, "forward", 30, false)
                                .collective(2, 0, bytes, "", 1),
                (replay, times) -> {
                    assertOver(replay);
                    double expected = 30_000 + new ClosedForm(SETTINGS, ranks).ringNs(bytes);
                    assertThat(replay.spanPs() / 1000.0)
                            .isCloseTo(expected, Percentage.withPercentage(1));
                    assertThat(times).allMatch(it -> it.collectives() == 1);
                    assertThat(times).allMatch(it -> it.calcPs() == 30_000_000);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void everyOperationOfSmallAndOddSizesEnds(int type) throws IOException {
        run(
                5,
                _ ->
                        new ChakraFile()
                                .collective(1, type, 1, "")
                                .collective(2, type, 0, "", 1)
                                .collective(3, type, 100_003, "", 2),
                (replay, times) -> {
                    assertOver(replay);
                    assertThat(times).allMatch(it -> it.collectives() == 3);
                    assertThat(replay.spanPs()).isPositive();
                });
    }

    @Test
    void groupsWorkBesideEachOther() throws IOException {
        ChakraGroups groups = new ChakraGroups(4);
        groups.add("groups.json", "{\"low\": [0, 1], \"high\": [3, 2], \"alone\": [0]}");
        long[] alone = new long[1];
        IntFunction<ChakraFile> low =
                rank -> {
                    ChakraFile file = new ChakraFile();
                    return rank < 2 ? file.collective(1, 0, 1 << 20, "low") : file;
                };
        run(4, groups, low, (replay, _) -> alone[0] = replay.spanPs());
        run(
                4,
                groups,
                rank -> {
                    ChakraFile file = new ChakraFile();
                    if (rank == 0) {
                        file.collective(2, 0, 1 << 30, "alone", 1);
                    }
                    return file.collective(1, 0, 1 << 20, rank < 2 ? "low" : "high");
                },
                (replay, times) -> {
                    assertOver(replay);
                    // Other hosts, other cables: nothing slows them down.
                    assertThat((double) replay.spanPs())
                            .isCloseTo((double) alone[0], Percentage.withPercentage(1));
                    assertThat(times.get(0).collectives()).isEqualTo(2);
                });
    }

    @Test
    void aUnitDoesOneThingAtATime() throws IOException {
        run(
                2,
                _ ->
                        new ChakraFile()
                                .compute(1, "gpu", 10, false)
                                .compute(2, "gpu", 20, false)
                                .compute(3, "cpu", 25, true),
                (replay, times) -> {
                    assertOver(replay);
                    assertThat(times.get(0).endPs()).isEqualTo(30_000_000);
                    assertThat(times.get(0).calcPs()).isEqualTo(30_000_000);
                });
    }

    @Test
    void aSendKeepsTheNetworkAndAReceiveDoesNot() throws IOException {
        long bytes = 1 << 20;
        double messageNs = new ClosedForm(SETTINGS, 2).stepsNs(1, bytes);
        double ackNs = new ClosedForm(SETTINGS, 2).ackNs();
        run(
                2,
                rank ->
                        new ChakraFile()
                                .receive(1, bytes, 1 - rank, rank, 1)
                                .receive(2, bytes, 1 - rank, rank, 2)
                                .send(3, bytes, rank, 1 - rank, 1)
                                .send(4, bytes, rank, 1 - rank, 2),
                (replay, _) -> {
                    assertOver(replay);
                    assertThat(replay.spanPs() / 1000.0)
                            .isCloseTo(2 * (messageNs + ackNs), Percentage.withPercentage(1));
                });
    }

    @Test
    void aCollectiveThatOneRankNeverCallsIsADeadlock() throws IOException {
        run(
                3,
                rank -> {
                    ChakraFile file = new ChakraFile().compute(1, "a", 1, true);
                    return rank == 1 ? file : file.collective(2, 9, 0, "", 1);
                },
                (replay, _) ->
                        assertThat(replay.problem())
                                .hasValue(
                                        "deadlock: rank 0, node 2: barrier of 0 bytes waits for"
                                                + " rank 1 of its group, on host 1; 2 nodes on 2"
                                                + " ranks wait for ever"));
    }

    @Test
    void ranksThatCallDifferentOperationsAreNamed() throws IOException {
        run(
                2,
                rank -> new ChakraFile().collective(7, 0, 64 + rank, ""),
                (replay, _) ->
                        assertThat(replay.problem())
                                .hasValue(
                                        "rank 1, node 7: all-reduce of 65 bytes differs from the"
                                                + " call of its group: rank 0, node 7: all-reduce"
                                                + " of 64 bytes"));
    }

    @Test
    void theOrderOfCallsInTwoGroupsMayLock() throws IOException {
        ChakraGroups groups = new ChakraGroups(2);
        groups.add("groups.json", "{\"a\": [0, 1], \"b\": [1, 0]}");
        run(
                2,
                groups,
                rank ->
                        new ChakraFile()
                                .collective(1, 9, 0, rank == 0 ? "a" : "b")
                                .collective(2, 9, 0, rank == 0 ? "b" : "a", 1),
                (replay, _) ->
                        assertThat(replay.problem())
                                .hasValueSatisfying(
                                        it ->
                                                assertThat(it)
                                                        .startsWith("deadlock: rank 0, node 1")
                                                        .contains("rank 1, node 1")));
    }
}
