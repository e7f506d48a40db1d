package dev.verbena.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Everything that was measured, in the order in which it was.
public final class ResultLog {
    private final List<Entry> entries = new ArrayList<>();

    /// The median of some runs, and how far they went apart.
    public record Summary(double median, double min, double max, int runs, String unit) {
        public static Summary of(double[] values, String unit) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int middle = sorted.length / 2;
            double median =
                    sorted.length % 2 == 1
                            ? sorted[middle]
                            : (sorted[middle - 1] + sorted[middle]) / 2;
            return new Summary(median, sorted[0], sorted[sorted.length - 1], sorted.length, unit);
        }
    }

    public static ResultLog read(List<Path> files) throws IOException {
        ResultLog log = new ResultLog();
        for (Path file : files) {
            if (Files.exists(file)) {
                Files.readAllLines(file).stream().map(Entry::parse).forEach(log::add);
            }
        }
        return log;
    }

    public void write(Path file) throws IOException {
        Files.write(file, entries.stream().map(Entry::json).toList());
    }

    public void add(Entry entry) {
        entries.add(entry);
    }

    public Optional<Summary> summary(String place, String subject, String who) {
        List<Entry.Figure> runs =
                figures(place)
                        .filter(one -> one.subject().equals(subject) && one.who().equals(who))
                        .toList();
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        double[] values = runs.stream().mapToDouble(Entry.Figure::value).toArray();
        return Optional.of(Summary.of(values, runs.getFirst().unit()));
    }

    /// What the runs of a program gave, in their order.
    public double[] values(String place, String subject, String who) {
        return figures(place)
                .filter(one -> one.subject().equals(subject) && one.who().equals(who))
                .mapToDouble(Entry.Figure::value)
                .toArray();
    }

    /// One program's figure over another's, if both were measured.
    public Optional<Double> ratio(String place, String subject, String who, String beside) {
        Optional<Summary> ours = summary(place, subject, who);
        Optional<Summary> other = summary(place, subject, beside);
        return ours.flatMap(one -> other.map(two -> one.median() / two.median()));
    }

    public Set<String> places() {
        Set<String> places = new LinkedHashSet<>();
        entries.stream()
                .filter(Entry.Figure.class::isInstance)
                .forEach(entry -> places.add(entry.place()));
        return places;
    }

    public Set<String> subjects(String place) {
        Set<String> subjects = new LinkedHashSet<>();
        figures(place).forEach(figure -> subjects.add(figure.subject()));
        return subjects;
    }

    public Set<String> programs(String place) {
        Set<String> names = new LinkedHashSet<>();
        figures(place).forEach(figure -> names.add(figure.who()));
        return names;
    }

    /// What machine it was, as a table of the page.
    public String machine(String place) {
        StringBuilder table = new StringBuilder("| | |\n|---|---|\n");
        notes(place)
                .filter(Entry.Note::isOfMachine)
                .forEach(
                        note ->
                                table.append(
                                        "| %s | %s |%n"
                                                .formatted(
                                                        note.topic()
                                                                .substring(
                                                                        Entry.Note.MACHINE
                                                                                .length()),
                                                        note.text())));
        return table.toString();
    }

    /// What else a reader should know.
    public List<Entry.Note> remarks(String place) {
        return notes(place).filter(note -> !note.isOfMachine()).toList();
    }

    private Stream<Entry.Note> notes(String place) {
        return entries.stream()
                .filter(entry -> entry.place().equals(place))
                .filter(Entry.Note.class::isInstance)
                .map(Entry.Note.class::cast);
    }

    private Stream<Entry.Figure> figures(String place) {
        return entries.stream()
                .filter(entry -> entry.place().equals(place))
                .filter(Entry.Figure.class::isInstance)
                .map(Entry.Figure.class::cast);
    }
}
