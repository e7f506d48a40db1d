package dev.verbena.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// One benchmark with its parameters, and what its iterations took.
final class Measure {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    final String benchmark;
    final Map<String, String> parameters;
    final boolean mustNotAllocate;
    private final List<Double> nanoseconds = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();
    private Optional<Double> ratio = Optional.empty();

    private Measure(String benchmark, Map<String, String> parameters, boolean mustNotAllocate) {
        this.benchmark = benchmark;
        this.parameters = new TreeMap<>(parameters);
        this.mustNotAllocate = mustNotAllocate;
    }

    /// One that fails the gate when it allocates.
    static Measure gated(String benchmark, Map<String, String> parameters) {
        return new Measure(benchmark, parameters, true);
    }

    /// One whose figures are only shown.
    static Measure shown(String benchmark, Map<String, String> parameters) {
        return new Measure(benchmark, parameters, false);
    }

    /// Adds the iterations of one more fork.
    void run(int iterations, int milliseconds) throws RunnerException {
        run(iterations, milliseconds, 250);
    }

    /// Adds the iterations of one more fork, each of two warm-ups as long as told: a long path
    /// takes longer to compile.
    void run(int iterations, int milliseconds, int warmUpMilliseconds) throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("\\." + benchmark.replace(".", "\\.") + "$")
                        .forks(1)
                        .warmupIterations(2)
                        .warmupTime(TimeValue.milliseconds(warmUpMilliseconds))
                        .measurementIterations(iterations)
                        .measurementTime(TimeValue.milliseconds(milliseconds))
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .jvmArgsAppend("-Xmx512m", "-Djmh.ignoreLock=true")
                        .verbosity(VerboseMode.SILENT);
        parameters.forEach(options::param);
        Collection<RunResult> results = new Runner(options.build()).run();
        if (results.size() != 1) {
            throw new IllegalStateException(results.size() + " benchmarks are named " + benchmark);
        }
        for (RunResult run : results) {
            for (BenchmarkResult fork : run.getBenchmarkResults()) {
                fork.getIterationResults().forEach(this::add);
            }
        }
    }

    private void add(IterationResult iteration) {
        nanoseconds.add(iteration.getPrimaryResult().getScore());
        Result<?> allocated = iteration.getSecondaryResults().get(ALLOCATED);
        if (allocated == null) {
            throw new IllegalStateException("this JVM does not count the bytes it allocates");
        }
        bytes.add(allocated.getScore());
    }

    void ratio(double toReference) {
        ratio = Optional.of(toReference);
    }

    /// The speed beside a reference, if there is one.
    Optional<Double> ratio() {
        return ratio;
    }

    double medianNs() {
        return median(nanoseconds);
    }

    double medianBytes() {
        return median(bytes);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
