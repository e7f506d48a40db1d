package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Measures each subject with all programs in turn, for several rounds.
final class BenchmarkRounds {
    private final List<MeasuredProgram> programs;
    private final ResultLog log;
    private final Path file;
    private final Set<String> given = new HashSet<>();

    /// Writes the log into a file after each subject, so that a run that is broken off leaves its
    /// figures.
    BenchmarkRounds(List<MeasuredProgram> programs, ResultLog log, Path file) {
        this.programs = programs;
        this.log = log;
        this.file = file;
    }

    void run(WireEnds place, List<Subject> subjects, int rounds) throws IOException {
        List<MeasuredProgram> able = new ArrayList<>();
        for (MeasuredProgram program : programs) {
            Optional<String> obstacle = program.obstacle();
            if (obstacle.isEmpty()) {
                able.add(program);
            } else {
                String text = "left out: " + obstacle.get();
                log.add(new Entry.Note(place.name(), program.name(), text));
                System.out.printf("%s %s%n", program.name(), text);
            }
        }
        for (int round = 1; round <= rounds; round++) {
            System.out.printf("-- %s, round %d of %d%n", place.name(), round, rounds);
            for (Subject subject : subjects) {
                for (MeasuredProgram program : able) {
                    if (program.takes(subject, place)) {
                        once(program, subject, place);
                    }
                }
                log.write(file);
            }
        }
    }

    /// A failure is noted, and not tried again: it would take its whole time limit each round.
    private void once(MeasuredProgram program, Subject subject, WireEnds place) {
        String key = String.join("/", place.name(), subject.name(), program.name());
        if (given.contains(key)) {
            return;
        }
        String unit = subject.kind().unit;
        try {
            double value = program.run(subject, place);
            log.add(new Entry.Figure(place.name(), subject.name(), program.name(), value, unit));
            System.out.printf(
                    Locale.ROOT,
                    "%-52s %-24s %10.3f %s%n",
                    subject.name(),
                    program.name(),
                    value,
                    unit);
        } catch (BenchException failed) {
            String text = Values.shortened(String.valueOf(failed.getMessage()));
            given.add(key);
            String topic = program.name() + ", " + subject.name();
            log.add(new Entry.Note(place.name(), topic, "failed: " + text));
            System.out.printf("%-52s %-24s failed: %s%n", subject.name(), program.name(), text);
        }
    }
}
