package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.NetworkOffer;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.ReductionSettings;
import dev.verbena.fabric.Topology;
import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An all-reduce in the network takes the time that arithmetic says.
class NetworkFormTest {
    private static final Percentage TOLERANCE = Percentage.withPercentage(1);
    private static final int PACKET = 4096;

    /// So much of everything that only the links are a limit.
    private static final ReductionSettings AMPLE =
            ReductionSettings.DEFAULT
                    .withBufferBytes(1L << 34)
                    .withBytesPerSecond(1L << 47)
                    .withWindow(256);

    private record World(FabricSettings settings, Topology topology, NetworkForm form) {
        /// The time of the second operation: the first joins the group.
        double ns(long bytes) {
            Fabric fabric = new Fabric(topology, settings);
            try (RankRun run =
                    new RankRun(
                            fabric,
                            _ -> {},
                            it ->
                                    it.withMemory(PhantomMemory::in)
                                            .withChoice(
                                                    it.choice().prefer(Algorithm.IN_NETWORK)))) {
                measure(run, bytes);
                return measure(run, bytes);
            }
        }

        private static long measure(RankRun run, long bytes) {
            return run.measure(
                    rank -> {
                        Span all = rank.allocate(bytes).span();
                        return rank.allReduce(all, all, ElementType.FLOAT32, Reduction.SUM);
                    });
        }

        NetworkCosts costs() {
            try (RankRun run = new RankRun(new Fabric(topology, settings))) {
                NetworkOffer offer = run.ranks().getFirst().network();
                return Objects.requireNonNull(offer.costs(), offer.text());
            }
        }
    }

    private static World oneSwitch(String kind, int ranks, ReductionSettings offer) {
        FabricSettings settings = settings(kind, offer);
        Topology topology = FatTree.single(ranks).topology();
        return new World(settings, topology, new NetworkForm(settings, 1, ranks));
    }

    private static World twoTiers(String kind, int leaves, int each, ReductionSettings offer) {
        FabricSettings settings = settings(kind, offer);
        Topology topology = FatTree.twoTiers(each, leaves, 2).topology();
        NetworkForm form = new NetworkForm(settings, 2, Math.max(leaves, each));
        return new World(settings, topology, form);
    }

    private static FabricSettings settings(String kind, ReductionSettings offer) {
        return (kind.equals("ib") ? FabricSettings.INFINIBAND : largeSwitch())
                .withCable(Cable.ofMetres(Rate.gbits(400), 10))
                .withReduction(offer);
    }

    /// The headroom of 1,024 ports takes more than the usual buffer.
    static FabricSettings largeSwitch() {
        FabricKind.Ethernet usual = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        BufferSettings buffer = usual.buffer();
        return FabricSettings.ROCE.withKind(
                usual.withBuffer(
                        new BufferSettings(
                                1L << 30,
                                buffer.lossless(),
                                buffer.xoffBytes(),
                                buffer.xonBytes(),
                                buffer.headroomBytes(),
                                buffer.alpha())));
    }

    private static void hold(World world, int packets, int window) {
        long bytes = (long) packets * PACKET;
        double form = world.form.ns(bytes, window);
        assertThat(world.ns(bytes)).isCloseTo(form, TOLERANCE);
    }

    @ParameterizedTest
    @CsvSource({"16,1", "16,256", "16,4096", "128,1", "128,512", "1024,1", "1024,256"})
    void onOneEthernetSwitchAVectorTakesItsTimeOnALinkAndARound(int ranks, int packets) {
        hold(oneSwitch("roce", ranks, AMPLE), packets, 256);
    }

    @ParameterizedTest
    @CsvSource({"4,4,1", "4,4,1024", "8,16,1", "8,16,512", "32,32,1", "32,32,256"})
    void onInfiniBandOverTwoTiersTooAndResultsAreCutThrough(int leaves, int each, int packets) {
        hold(twoTiers("ib", leaves, each, AMPLE), packets, 256);
    }

    @ParameterizedTest
    @CsvSource({"4,4,512", "8,16,256"})
    void onEthernetOverTwoTiersEachSwitchStoresResults(int leaves, int each, int packets) {
        hold(twoTiers("roce", leaves, each, AMPLE), packets, 256);
    }

    @ParameterizedTest
    @CsvSource({"roce,16,256", "roce,128,256", "ib,16,256", "ib,128,256", "roce,1024,64"})
    void theAluOfASwitchIsTheLimitWhereItTakesInLessThanItsPorts(
            String kind, int ranks, int packets) {
        // Ports of 50 GB/s each; the ALU takes in half of what all of them bring.
        ReductionSettings slow = AMPLE.withBytesPerSecond(25_000_000_000L * ranks);
        World world = oneSwitch(kind, ranks, slow);
        double gap = new NetworkForm(settings(kind, AMPLE), 1, ranks).gapNs(256);
        assertThat(world.form.gapNs(256) / gap).isBetween(1.9, 2.1);
        hold(world, packets, 256);
    }

    @ParameterizedTest
    @CsvSource({"roce,16,4", "roce,128,2", "ib,16,2", "ib,128,1"})
    void theBufferOfASwitchIsTheLimitWhereItHoldsLessThanARound(
            String kind, int ranks, int window) {
        // A place for each packet of two windows, with a part of each child.
        long buffer = 2L * window * ranks * PACKET;
        World world = oneSwitch(kind, ranks, AMPLE.withBufferBytes(buffer));
        assertThat(world.form.gapNs(window)).isGreaterThan(2 * world.form.gapNs(256));
        hold(world, 256, window);
    }

    @ParameterizedTest
    @CsvSource({"roce,16,4194304", "roce,128,1048576", "ib,16,4194304", "ib,128,1048576"})
    void theCostModelIsTheFormOfTheNetwork(String kind, int ranks, long bytes) {
        World world = twoTiers(kind, ranks / 4, 4, AMPLE);
        NetworkCosts costs = world.costs();
        double estimate = costs.latencyNs() + bytes * 1e9 / costs.bytesPerSecond();
        // The latency is that of an empty vector: a few packets less than the round of a full one.
        assertThat(estimate).isCloseTo(world.ns(bytes), Percentage.withPercentage(2));
    }
}
