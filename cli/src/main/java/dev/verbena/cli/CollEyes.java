package dev.verbena.cli;

import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FaultText;
import dev.verbena.job.HostWork;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena coll` that ask what holds operations up, and that let something be slow.
final class CollEyes {
    /// Steps in a trace file, at most: some 40 MB.
    private static final int FILE_STEPS = 100_000;

    @Option(
            names = "--verdict",
            description =
                    "Names the slow rank, pair or cable below the table, or says that none stands"
                            + " out.")
    private boolean isJudged;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Writes the last steps of all ranks for ui.perfetto.dev, as JSON.")
    private @Nullable Path file;

    @Option(
            names = "--trace-steps",
            paramLabel = "N",
            description = "Steps that are kept of each rank, for both (8192).")
    private int steps = StepTrace.USUAL_STEPS;

    @Option(
            names = "--slow-rank",
            paramLabel = "RANK:HOW",
            description =
                    "Makes a rank slow. Live, 2:5ms: it sleeps before each operation. Simulated,"
                        + " 17:4x or 17:20us: all its work takes so many times as long, or each"
                        + " message so much longer; then hosts need 500 ns for a message and 400"
                        + " GB/s to combine (assumed).")
    private List<String> slowRanks = List.of();

    @Option(
            names = "--fault",
            paramLabel = "WHERE=WHAT[@FROM-UNTIL]",
            description = "A fault of simulated cables, as with verbena sim.")
    private List<String> faults = List.of();

    /// Whether steps are kept.
    boolean isOn() {
        return isJudged || file != null;
    }

    int steps() {
        return steps;
    }

    void check(int ranks, boolean isSimulated) {
        if (steps < 1 || steps > StepTrace.STEPS_MAX) {
            throw new UsageException(
                    "--trace-steps %d: use 1 to %,d".formatted(steps, StepTrace.STEPS_MAX));
        }
        if (!isSimulated && !faults.isEmpty()) {
            throw new UsageException("--fault is for simulated cables: use it with --fabric");
        }
        for (SlowRankText each : slow()) {
            each.check(ranks, isSimulated);
        }
    }

    private List<SlowRankText> slow() {
        return slowRanks.stream().map(SlowRankText::parse).toList();
    }

    /// How long a live rank sleeps before each operation.
    long sleepNs(int rank) {
        return slow().stream()
                .filter(it -> it.rank() == rank)
                .mapToLong(SlowRankText::moreNs)
                .sum();
    }

    /// The work of simulated hosts; null where it takes no time.
    @Nullable HostWork work(long seed) {
        List<HostWork.SlowRank> slow = new ArrayList<>();
        slow().forEach(it -> slow.add(it.simulated()));
        return slow.isEmpty() ? null : HostWork.USUAL.withSeed(seed).withSlow(slow);
    }

    void plant(Fabric fabric, long seed, PrintWriter out) {
        for (String text : faults) {
            for (CableFault fault : FaultText.parse(text, fabric.topology(), seed)) {
                fabric.fault(fault);
            }
            out.printf("# fault: %s%n", text);
        }
    }

    /// Writes and prints what was asked for.
    ///
    /// @param traces of all ranks, by one clock
    void tell(List<RankTrace> traces, Supplier<Verdict> verdict, PrintWriter out)
            throws IOException {
        if (file != null) {
            PerfettoTrace trace = new PerfettoTrace(traces, FILE_STEPS);
            trace.write(file);
            out.printf("# %s: %s%n", file, trace);
        }
        if (isJudged) {
            Verdict found = verdict.get();
            out.printf("# %s%n", found.sentence());
            found.reasons().forEach(it -> out.printf("#   %s%n", it));
        }
        out.flush();
    }

    /// The same flags for a rank that prints nothing.
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (isOn()) {
            words.addAll(List.of("--verdict", "--trace-steps", "" + steps));
        }
        slowRanks.forEach(it -> words.addAll(List.of("--slow-rank", it)));
        return words;
    }
}
