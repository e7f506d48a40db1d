package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Rails;
import dev.verbena.fabric.Rate;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A hierarchical all-reduce takes the time that arithmetic says.
class HierarchicalFormTest {
    private static final Percentage TOLERANCE = Percentage.withPercentage(1);
    private static final long MEGA = 1 << 20;

    @ParameterizedTest
    @CsvSource({"roce,2,8,4", "roce,16,8,8", "roce,8,4,4", "ib,2,8,4", "ib,16,8,8", "ib,8,4,4"})
    void hierarchicalAllReduceTakesTheTimeOfItsThreePhases(
            String kind, int hosts, int ranks, long megabytes) {
        hold(kind, JobLayout.of(hosts, ranks), megabytes * MEGA);
    }

    @ParameterizedTest
    @CsvSource({"roce,2", "roce,1", "ib,2", "ib,1"})
    void ranksThatShareANicHaveTheirPartOfItsRate(String kind, int nics) {
        hold(kind, JobLayout.of(4, 4).withNics(nics), 64 * MEGA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void aSharedNicHalvesTheRateBetweenHosts(String kind) {
        InnerLink fast = new InnerLink(10e12, 0);
        JobLayout whole = JobLayout.of(3, 2).withInner(fast);
        double alone = measure(kind, whole, 48 * MEGA);
        double shared = measure(kind, whole.withNics(1), 48 * MEGA);
        assertThat(shared / alone).isBetween(1.95, 2.01);
    }

    @ParameterizedTest
    @CsvSource({"roce,1,50", "roce,2,50", "ib,1,50", "ib,2,50", "ib,2,10"})
    void withoutGpuDirectTheCopiesAreAdded(String kind, int sharing, double gigabytes) {
        HostCopy copy = new HostCopy(gigabytes * 1e9, 1000, sharing);
        hold(kind, JobLayout.of(4, 4).withCopy(copy), 16 * MEGA);
    }

    @Test
    void withoutGpuDirectNothingIsCopiedWithinAHost() {
        HostCopy copy = new HostCopy(10e9, 1000, 1);
        JobLayout layout = JobLayout.of(1, 4);
        double direct = measure("ib", layout, 4 * MEGA, Algorithm.RING);
        double copied = measure("ib", layout.withCopy(copy), 4 * MEGA, Algorithm.RING);
        assertThat(copied).isEqualTo(direct);
    }

    private static void hold(String kind, JobLayout layout, long bytes) {
        double form = new HierarchicalForm(settings(kind), layout).ns(bytes);
        assertThat(measure(kind, layout, bytes)).isCloseTo(form, TOLERANCE);
    }

    private static FabricSettings settings(String kind) {
        return (kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE)
                .withCable(Cable.ofMetres(Rate.gbits(400), 10));
    }

    private static double measure(String kind, JobLayout layout, long bytes) {
        return measure(kind, layout, bytes, Algorithm.HIERARCHICAL);
    }

    private static double measure(String kind, JobLayout layout, long bytes, Algorithm algorithm) {
        FabricSettings settings = settings(kind);
        Rails rails = Rails.ofRadix(layout.hosts(), layout.nicsPerHost(), 64, false);
        Fabric fabric = new Fabric(layout.topology(rails.topology(), settings), settings);
        try (RankRun run =
                new RankRun(
                        fabric,
                        layout,
                        _ -> {},
                        it ->
                                it.withMemory(PhantomMemory::in)
                                        .withLanes(1)
                                        .withPieceBytes(1 << 30)
                                        .withChoice(it.choice().prefer(algorithm)))) {
            long ns = 0;
            // The first makes the connections.
            for (int i = 0; i < 2; i++) {
                ns =
                        run.measure(
                                rank -> {
                                    Span all = rank.allocate(bytes).span();
                                    return rank.allReduce(
                                            all, all, ElementType.FLOAT32, Reduction.SUM);
                                });
            }
            return ns;
        }
    }
}
