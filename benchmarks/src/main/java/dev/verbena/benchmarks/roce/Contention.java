package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.ResultLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/// Bandwidth while other programs want the processors: what each program keeps of what it does
/// alone.
final class Contention {
    static final String PLACE = "contention";

    /// What our part must be, beside the part that TCP keeps.
    static final double LIMIT = 0.4;

    private static final int MIB = 1 << 20;

    private final ResultLog log;
    private final BenchmarkRounds rounds;

    Contention(Path root, ResultLog log, Path file) {
        this.log = log;
        rounds =
                new BenchmarkRounds(
                        List.of(
                                new DefaultPerf(root),
                                new VerbenaPerf(root),
                                new Ucx(),
                                new Iperf()),
                        log,
                        file);
    }

    /// Returns whether our part is large enough wherever something is beside it.
    boolean run(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            for (Disturbance one : Disturbance.all()) {
                rounds.run(WireEnds.loopback().with(PLACE, one), List.of(subject(one)), 1);
            }
        }
        boolean passed = true;
        for (Disturbance one : Disturbance.all()) {
            for (String who : List.of(DefaultPerf.NAME, VerbenaPerf.NAME)) {
                double ours = kept(log, one, who).orElse(0);
                double tcp = kept(log, one, Iperf.NAME).orElse(Double.NaN);
                boolean isMissed = !(ours >= LIMIT * tcp);
                passed &= !isMissed;
                System.out.printf(
                        Locale.ROOT,
                        "%-46s %-24s keeps %.2f, TCP %.2f: %.2f of it: %s%n",
                        one.name(),
                        who,
                        ours,
                        tcp,
                        ours / tcp,
                        isMissed ? "FAILED" : "ok");
            }
        }
        return passed;
    }

    private static Subject subject(Disturbance beside) {
        return new Subject(
                beside.name(),
                Subject.Kind.BANDWIDTH,
                MIB,
                MIB,
                Subject.Setting.USUAL,
                Subject.Bound.NONE);
    }

    /// The part of its undisturbed bandwidth that a program keeps.
    static OptionalDouble kept(ResultLog log, Disturbance beside, String who) {
        var disturbed = log.summary(PLACE, beside.name(), who);
        var alone = log.summary(PLACE, Disturbance.NONE.name(), who);
        return disturbed.isEmpty() || alone.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(disturbed.get().median() / alone.get().median());
    }
}
