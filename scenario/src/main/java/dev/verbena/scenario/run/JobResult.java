package dev.verbena.scenario.run;

import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a collective or a training loop.
///
/// @param algorithm how the vectors were combined; empty where it is not known
/// @param busBandwidth of the last operation in GB/s, as in nccl-tests; NaN of a training loop
/// @param exposedPercent share of a step in which ranks waited for the network; NaN of a collective
/// @param spans what ranks did when
/// @param verdict null where no steps were recorded
/// @param failure why it ended early, or empty
public record JobResult(
        String algorithm,
        double busBandwidth,
        double exposedPercent,
        List<Span> spans,
        List<RankTrace> traces,
        @Nullable Verdict verdict,
        String failure) {
    /// What a rank did for a time, from the start of the run.
    ///
    /// @param kind `forward`, `backward`, `all_reduce` …
    public record Span(int rank, String kind, double fromUs, double untilUs) {}

    public JobResult {
        spans = List.copyOf(spans);
        traces = List.copyOf(traces);
    }
}
