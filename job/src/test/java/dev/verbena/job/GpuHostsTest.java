package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.PortCounts;
import dev.verbena.fabric.Rails;
import dev.verbena.fabric.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ranks of GPU hosts, with real memory.
class GpuHostsTest {
    private record World(Fabric fabric, RankRun run) implements AutoCloseable {
        @Override
        public void close() {
            run.close();
        }
    }

    private static World world(String kind, JobLayout layout, Topology between, Algorithm by) {
        FabricSettings settings =
                kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
        Fabric fabric = new Fabric(layout.topology(between, settings), settings);
        RankRun run =
                new RankRun(
                        fabric,
                        layout,
                        _ -> {},
                        it -> it.withPieceBytes(8192).withChoice(it.choice().prefer(by)));
        return new World(fabric, run);
    }

    private static Topology rails(JobLayout layout, boolean apart) {
        return Rails.ofRadix(layout.hosts(), layout.nicsPerHost(), 8, apart).topology();
    }

    /// Numbers so small that also 16 bits hold their sums.
    private static int value(int rank, long element) {
        return (int) ((rank * 7L + element * 3) % 5);
    }

    private static int sum(int ranks, long element) {
        int sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += value(rank, element);
        }
        return sum;
    }

    /// How many elements from `start` on are not what they must be.
    private static long wrong(
            RankMemory memory, ElementType type, long start, long count, LongUnaryOperator right) {
        return LongStream.range(start, start + count)
                .filter(i -> Numbers.get(memory, type, i) != right.applyAsLong(i))
                .count();
    }

    private static List<RankMemory> run(
            RankRun run,
            long bytes,
            ElementType type,
            BiFunction<Communicator, RankMemory, Work> op) {
        List<RankMemory> memories = new ArrayList<>();
        run.measure(
                rank -> {
                    RankMemory memory = rank.allocate(bytes);
                    for (long i = 0; i < bytes / type.bytes(); i++) {
                        Numbers.set(memory, type, i, value(rank.rank(), i));
                    }
                    memories.add(memory);
                    return op.apply(rank, memory);
                });
        return memories;
    }

    @ParameterizedTest
    @CsvSource({
        "roce,2,4,4,FLOAT32,1031",
        "roce,3,2,1,INT64,5000",
        "roce,2,8,2,BFLOAT16,4099",
        "ib,2,4,4,FLOAT64,3001",
        "ib,3,2,1,INT32,5000",
        "ib,2,3,2,FLOAT16,777",
        "ib,4,2,2,INT32,1"
    })
    void allReduceIsRightAcrossBothNetworks(
            String kind, int hosts, int ranks, int nics, ElementType type, int count) {
        JobLayout layout = JobLayout.of(hosts, ranks).withNics(nics);
        try (World world = world(kind, layout, rails(layout, false), Algorithm.HIERARCHICAL)) {
            for (int turn = 0; turn < 2; turn++) {
                List<RankMemory> results =
                        run(
                                world.run,
                                (long) count * type.bytes(),
                                type,
                                (rank, memory) ->
                                        rank.allReduce(
                                                memory.span(), memory.span(), type, Reduction.SUM));
                for (RankMemory result : results) {
                    assertThat(wrong(result, type, 0, count, i -> sum(layout.ranks(), i))).isZero();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "roce,RING,2",
        "roce,HALVING_DOUBLING,1",
        "roce,DOUBLE_TREE,3",
        "ib,RING,1",
        "ib,DOUBLE_TREE,2",
        "ib,DOUBLING,3"
    })
    void otherAlgorithmsAreRightAcrossBothNetworks(String kind, Algorithm by, int nics) {
        JobLayout layout = JobLayout.of(2, 3).withNics(nics);
        try (World world = world(kind, layout, rails(layout, false), by)) {
            List<RankMemory> results =
                    run(
                            world.run,
                            40_000,
                            ElementType.INT32,
                            (rank, memory) ->
                                    rank.allReduce(
                                            memory.span(),
                                            memory.span(),
                                            ElementType.INT32,
                                            Reduction.SUM));
            for (RankMemory result : results) {
                assertThat(wrong(result, ElementType.INT32, 0, 10_000, i -> sum(6, i))).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"roce,true", "ib,true", "roce,false", "ib,false"})
    void allGatherAndReduceScatterAreRight(String kind, boolean apart) {
        JobLayout layout = JobLayout.of(3, 4).withNics(2);
        int ranks = layout.ranks();
        long part = 3000;
        long whole = part * ranks;
        ElementType type = ElementType.INT32;
        try (World world = world(kind, layout, rails(layout, apart), Algorithm.HIERARCHICAL)) {
            List<RankMemory> sums =
                    run(
                            world.run,
                            whole * 4,
                            type,
                            (rank, memory) ->
                                    rank.reduceScatter(
                                            memory.span(),
                                            memory.span(rank.rank() * part * 4, part * 4),
                                            type,
                                            Reduction.SUM));
            List<RankMemory> all =
                    run(
                            world.run,
                            whole * 4,
                            type,
                            (rank, memory) ->
                                    rank.allGather(
                                            memory.span(rank.rank() * part * 4, part * 4),
                                            memory.span()));
            for (int rank = 0; rank < ranks; rank++) {
                long start = rank * part;
                assertThat(wrong(sums.get(rank), type, start, part, i -> sum(ranks, i))).isZero();
                assertThat(wrong(all.get(rank), type, 0, whole, i -> value((int) (i / part), i)))
                        .isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"roce,4", "roce,1", "ib,4", "ib,1"})
    void allToAllIsRightOverOneSwitch(String kind, int nics) {
        JobLayout layout = JobLayout.of(2, 4).withNics(nics).withCopy(HostCopy.USUAL);
        Topology one = FatTree.single(layout.nics()).topology();
        long part = 5000;
        ElementType type = ElementType.INT32;
        try (World world = world(kind, layout, one, Algorithm.PAIRWISE)) {
            List<RankMemory> received = new ArrayList<>();
            run(
                    world.run,
                    part * 4 * layout.ranks(),
                    type,
                    (rank, memory) -> {
                        RankMemory into = rank.allocate(memory.length());
                        received.add(into);
                        return rank.allToAll(memory.span(), into.span());
                    });
            for (int rank = 0; rank < layout.ranks(); rank++) {
                long start = rank * part;
                assertThat(
                                wrong(
                                        received.get(rank),
                                        type,
                                        0,
                                        part * layout.ranks(),
                                        i -> value((int) (i / part), start + i % part)))
                        .isZero();
            }
        }
    }

    /// Packets that the switches with this word in their names have sent to others with it.
    private static long between(Fabric fabric, String from, String to) {
        long packets = 0;
        for (PortCounts port : fabric.ports()) {
            if (port.node().startsWith(from) && port.neighbour().startsWith(to)) {
                packets +=
                        port.counts().entrySet().stream()
                                .filter(GpuHostsTest::isSent)
                                .mapToLong(it -> it.getValue())
                                .sum();
            }
        }
        return packets;
    }

    private static boolean isSent(Map.Entry<String, Long> count) {
        return count.getKey().equals("PortXmitPkts")
                || count.getKey().matches("tx_prio\\d_packets|tx_packets");
    }

    private static World afterAllReduce(String kind, JobLayout layout, Algorithm by) {
        World world = world(kind, layout, rails(layout, false), by);
        run(
                world.run,
                1 << 18,
                ElementType.INT32,
                (rank, memory) ->
                        rank.allReduce(
                                memory.span(), memory.span(), ElementType.INT32, Reduction.SUM));
        return world;
    }

    @ParameterizedTest
    @CsvSource({"roce", "ib"})
    void theTrafficOfANicStaysOnItsRail(String kind) {
        JobLayout layout = JobLayout.of(4, 2);
        try (World world = afterAllReduce(kind, layout, Algorithm.HIERARCHICAL)) {
            assertThat(between(world.fabric, "rail", "spine")).isZero();
            long rail0 = between(world.fabric, "rail 0", "host");
            assertThat(rail0).isPositive();
            assertThat(between(world.fabric, "rail 1", "host")).isEqualTo(rail0);
            assertThat(between(world.fabric, "inside", "host")).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"roce", "ib"})
    void betweenLeavesOfARailTrafficCrossesSpinesAndComesBackToTheRail(String kind) {
        // Switches of 8 ports: four hosts at a leaf.
        JobLayout layout = JobLayout.of(8, 2);
        try (World world = afterAllReduce(kind, layout, Algorithm.HIERARCHICAL)) {
            for (int rail = 0; rail < 2; rail++) {
                long up = between(world.fabric, "rail " + rail, "spine");
                assertThat(up).isPositive();
                assertThat(between(world.fabric, "spine", "rail " + rail)).isEqualTo(up);
            }
        }
    }

    @Test
    void anAlgorithmThatKnowsNoHostsCrossesRails() {
        JobLayout layout = JobLayout.of(4, 2);
        try (World world = afterAllReduce("ib", layout, Algorithm.RING)) {
            assertThat(between(world.fabric, "rail 1 leaf 0", "spine")).isPositive();
        }
    }

    @Test
    void ranksOfAHostDoNotUseTheirNics() {
        JobLayout layout = JobLayout.of(1, 4);
        try (World world = afterAllReduce("roce", layout, Algorithm.RING)) {
            assertThat(between(world.fabric, "rail", "host")).isZero();
            assertThat(between(world.fabric, "inside", "host")).isPositive();
        }
    }

    @Test
    void aLayoutThatCannotBeIsRefused() {
        assertThatThrownBy(() -> JobLayout.of(2, 4).withNics(5))
                .hasMessage("5 NICs for 4 ranks of a host: use 1 to 4");
        assertThatThrownBy(() -> new JobLayout(2, 4, 4, null, null))
                .hasMessageContaining("need an inner link");
        assertThatThrownBy(() -> new JobLayout(70_000, 1, 1, null, null))
                .hasMessageContaining("at most 65,536 ranks");
        JobLayout layout = JobLayout.of(4, 4);
        Topology small = FatTree.single(15).topology();
        assertThatThrownBy(() -> layout.topology(small, FabricSettings.ROCE))
                .hasMessageContaining("15 NICs for 4 hosts with 4 each");
        Fabric bare = new Fabric(FatTree.single(16).topology(), FabricSettings.ROCE);
        assertThatThrownBy(() -> new RankRun(bare, layout, _ -> {}, it -> it))
                .hasMessageContaining("use a larger fabric");
        assertThatThrownBy(() -> new InnerLink(0, 500)).hasMessageContaining("use 1 MB/s");
        assertThatThrownBy(() -> new HostCopy(50e9, 1000, 0))
                .hasMessageContaining("1 rank or more");
    }
}
