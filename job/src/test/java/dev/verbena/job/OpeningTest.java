package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.job.flow.FlowCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Connections are made before an operation: all that it needs, no others, and without its work.
class OpeningTest {
    private static final int LANES = 8;
    private static final int RANKS = 12;
    private static final long BYTES = RANKS * (96L << 10);

    static Stream<Arguments> everyWay() {
        List<Arguments> all = new ArrayList<>();
        for (NcclOperation operation : NcclOperation.values()) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (int onHost : new int[] {1, 3}) {
                    boolean isThere =
                            Plans.supports(operation.collective(), algorithm)
                                    && (onHost > 1 || algorithm != Algorithm.HIERARCHICAL);
                    if (isThere) {
                        all.add(Arguments.of(operation, algorithm, onHost));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void theLinksOfAnOperationAreThereAndNoOthers(
            NcclOperation operation, Algorithm algorithm, int onHost) {
        Job opened = new Job(RANKS / onHost, onHost, algorithm);
        opened.connect(operation, BYTES);
        Set<String> before = opened.links();
        opened.measure(operation, BYTES);
        assertThat(opened.links()).as("links after the operation").isEqualTo(before);

        Job usual = new Job(RANKS / onHost, onHost, algorithm);
        usual.measure(operation, BYTES);
        assertThat(before).isNotEmpty().isEqualTo(usual.links());
    }

    @Test
    void connectionsCostFewEvents() {
        Job job = new Job(RANKS, 1, Algorithm.RING);
        job.connect(NcclOperation.ALL_REDUCE, 4 << 20);
        long opening = job.fabric.events();
        job.measure(NcclOperation.ALL_REDUCE, 4 << 20);
        assertThat(opening).isBetween(1L, (job.fabric.events() - opening) / 10);
    }

    private static final class Job {
        private final JobLayout layout;
        private final CommunicatorSettings settings;
        private final Fabric fabric;
        private final RankRun run;

        Job(int hosts, int onHost, Algorithm algorithm) {
            layout = JobLayout.of(hosts, onHost);
            settings = settings(CommunicatorSettings.of(() -> 0), algorithm);
            FabricSettings roce = FabricSettings.ROCE;
            var between = FatTree.single(hosts * onHost).topology();
            fabric = new Fabric(layout.topology(between, roce), roce);
            run = new RankRun(fabric, layout, _ -> {}, it -> settings(it, algorithm));
        }

        private static CommunicatorSettings settings(
                CommunicatorSettings usual, Algorithm algorithm) {
            return usual.withMemory(PhantomMemory::in).withChoice(usual.choice().prefer(algorithm));
        }

        void connect(NcclOperation operation, long bytes) {
            int element = operation.isReduction() ? 4 : 1;
            long count = bytes / element / (operation.isSplit() ? layout.ranks() : 1);
            FlowCall call =
                    new FlowCall(operation.collective(), count, element, 0, settings.pieceBytes());
            run.connect(rank -> call.plan(rank, layout, settings));
        }

        void measure(NcclOperation operation, long bytes) {
            run.measure(rank -> begin(rank, operation, bytes));
        }

        private static Work begin(Communicator rank, NcclOperation operation, long bytes) {
            RankMemory from = rank.allocate(operation.inputBytes(bytes, rank.size()));
            RankMemory to = rank.allocate(operation.outputBytes(bytes, rank.size()));
            return operation.begin(
                    rank, from.span(), to.span(), ElementType.FLOAT32, Reduction.SUM, 0);
        }

        /// Each end of each link by ranks, lane and queue pair.
        Set<String> links() {
            Set<String> all = new TreeSet<>();
            for (Communicator rank : run.ranks()) {
                for (int peer = 0; peer < rank.size(); peer++) {
                    for (int lane = 0; lane < LANES; lane++) {
                        if (peer != rank.rank() && rank.pairNumber(peer, lane) != 0) {
                            all.add("%d %d %d".formatted(rank.rank(), peer, lane));
                        }
                    }
                }
            }
            return all;
        }
    }
}
