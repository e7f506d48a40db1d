package dev.verbena.job.eyes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.job.JobLayout;
import dev.verbena.job.RankRun;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JobTraceTest {
    private static final int HOSTS = 8;
    private static final long BYTES = 1 << 19;

    private static Work begin(Communicator rank) {
        RankMemory memory = rank.allocate(2 * BYTES);
        return rank.allToAll(memory.span(0, BYTES), memory.span(BYTES, BYTES));
    }

    /// @param before what happens before the trace begins
    /// @param after what happens when it has
    private static Verdict verdict(
            FabricSettings settings, Consumer<Fabric> before, Consumer<Fabric> after) {
        Fabric fabric = new Fabric(FatTree.twoTiers(4, 2, 2).topology(), settings);
        before.accept(fabric);
        try (RankRun run = new RankRun(fabric)) {
            run.measure(JobTraceTest::begin);
            JobTrace trace = new JobTrace(run, JobLayout.flat(HOSTS), StepTrace.USUAL_STEPS);
            after.accept(fabric);
            for (int i = 0; i < 3; i++) {
                run.measure(JobTraceTest::begin);
            }
            trace.end();
            int kept = trace.traces().getFirst().steps().size();
            run.measure(JobTraceTest::begin);
            assertThat(trace.traces().getFirst().steps()).hasSize(kept);
            return trace.verdict();
        }
    }

    private static CableFault onCable(CableFault fault, Fabric fabric) {
        return fault.during(fabric.nowPs() + 1, CableFault.FOR_EVER);
    }

    @Test
    void whatHappenedBeforeTheTraceIsForgotten() {
        CableFault loss = CableFault.loss(3, 0.3).during(0, 200_000_000);
        Verdict verdict = verdict(FabricSettings.INFINIBAND, fabric -> fabric.fault(loss), _ -> {});
        assertThat(verdict.kind()).as(verdict.sentence()).isEqualTo(Verdict.Kind.NONE);
    }

    @Test
    void aCableThatLosesPacketsIsNamedByItsPorts() {
        Verdict verdict =
                verdict(
                        FabricSettings.ROCE,
                        _ -> {},
                        fabric -> fabric.fault(onCable(CableFault.loss(3, 0.05), fabric)));
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.LOSSY_LINK);
        assertThat(verdict.culprit()).isEqualTo("host 3 port 0 to leaf 0 port 3");
        assertThat(verdict.reasons().getFirst()).contains("more than 8 times as long as usual");
    }

    @Test
    void aSlowCableIsNamedByItsPorts() {
        Verdict verdict =
                verdict(
                        FabricSettings.INFINIBAND,
                        _ -> {},
                        fabric -> fabric.fault(onCable(CableFault.slow(5, 0.2), fabric)));
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.SLOW_LINK);
        assertThat(verdict.culprit()).isEqualTo("host 5 port 0 to leaf 1 port 1");
    }

    /// Packets that take all ways in turn have none that could be blamed.
    @Test
    void whereWaysAreUnknownNoCableIsSlow() {
        FabricKind.Ethernet usual = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        FabricSettings spray =
                FabricSettings.ROCE.withKind(usual.withSpread(FabricKind.Spread.SPRAY));
        Verdict verdict =
                verdict(
                        spray,
                        _ -> {},
                        fabric -> fabric.fault(onCable(CableFault.slow(9, 0.2), fabric)));
        assertThat(verdict.kind()).isNotEqualTo(Verdict.Kind.LOSSY_LINK);
        assertThat(verdict.culprit()).doesNotContain("spine");
    }
}
