package dev.verbena.benchmarks.roce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Lets contenders do each subject in turns, some rounds long.
final class Contest {
    private final List<Contender> contenders;
    private final ResultLog log;
    private final Path file;
    private final Set<String> given = new HashSet<>();

    /// Writes the log into a file after each round, so that one that is broken off leaves its
    /// figures.
    Contest(List<Contender> contenders, ResultLog log, Path file) {
        this.contenders = contenders;
        this.log = log;
        this.file = file;
    }

    void run(Place place, List<Subject> subjects, int rounds) throws IOException {
        List<Contender> able = new ArrayList<>();
        for (Contender contender : contenders) {
            Optional<String> obstacle = contender.obstacle();
            if (obstacle.isEmpty()) {
                able.add(contender);
            } else {
                String text = "left out: " + obstacle.get();
                log.add(new Entry.Note(place.name(), contender.name(), text));
                System.out.printf("%s %s%n", contender.name(), text);
            }
        }
        for (int round = 1; round <= rounds; round++) {
            System.out.printf("-- %s, round %d of %d%n", place.name(), round, rounds);
            for (Subject subject : subjects) {
                for (Contender contender : able) {
                    if (contender.takes(subject, place)) {
                        once(contender, subject, place);
                    }
                }
            }
            log.write(file);
        }
    }

    /// A failure is noted, and not tried again: it would take its whole time limit each round.
    private void once(Contender contender, Subject subject, Place place) {
        String key = String.join("/", place.name(), subject.name(), contender.name());
        if (given.contains(key)) {
            return;
        }
        String unit = subject.kind().unit;
        try {
            double value = contender.run(subject, place);
            log.add(new Entry.Figure(place.name(), subject.name(), contender.name(), value, unit));
            System.out.printf(
                    Locale.ROOT,
                    "%-52s %-24s %10.3f %s%n",
                    subject.name(),
                    contender.name(),
                    value,
                    unit);
        } catch (BenchException failed) {
            String text = Values.shortened(String.valueOf(failed.getMessage()));
            given.add(key);
            String topic = contender.name() + ", " + subject.name();
            log.add(new Entry.Note(place.name(), topic, "failed: " + text));
            System.out.printf("%-52s %-24s failed: %s%n", subject.name(), contender.name(), text);
        }
    }
}
