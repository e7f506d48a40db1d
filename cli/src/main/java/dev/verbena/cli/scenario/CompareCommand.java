package dev.verbena.cli.scenario;

import dev.verbena.scenario.compare.Comparison;
import dev.verbena.scenario.compare.SameWork;
import dev.verbena.scenario.read.Setting;
import dev.verbena.scenario.report.CompareJson;
import dev.verbena.scenario.report.CompareText;
import dev.verbena.scenario.report.HtmlReport;
import dev.verbena.scenario.report.Provenance;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.ScenarioRun;
import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `verbena compare`: two scenarios with the same work.
@Command(
        name = "compare",
        description = {
            "Runs two scenarios with the same work and seed, and says why one takes longer.",
            "Of two folders it compares the scenarios with the same names.",
            "Exit status: 0 all of assert holds in both, 1 something does not or a run ended"
                    + " early, 2 usage error, a mistake in a file, or other work."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena compare ecmp-collisions.yaml ecmp-avoided.yaml",
            "  verbena compare infiniband/ roce/ --report both.html"
        })
public final class CompareCommand implements Callable<Integer> {
    private static final int LABEL_MAX = 24;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "A", description = "A scenario, or a folder of them.")
    private Path first = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "Another one with the same work.")
    private Path second = Path.of("");

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Writes an HTML page that needs no network.")
    private @Nullable Path report;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--any-file",
            description = "Scenarios may name files outside their folder and those below it.")
    private boolean mayNameAll;

    /// Two files that belong together, both read.
    private record Two(
            String name,
            Path a,
            Path b,
            ScenarioFile.Loaded loadedA,
            ScenarioFile.Loaded loadedB) {}

    /// Made by picocli.
    public CompareCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<Two> all = new ArrayList<>();
        // All files are read before the first run, which may take long.
        for (String name : names()) {
            Path a = name.isEmpty() ? first : first.resolve(name);
            Path b = name.isEmpty() ? second : second.resolve(name);
            ScenarioFile.Loaded loadedA = new ScenarioFile(a, mayNameAll).load(err);
            ScenarioFile.Loaded loadedB = new ScenarioFile(b, mayNameAll).load(err);
            if (loadedA == null || loadedB == null) {
                return CommandLine.ExitCode.USAGE;
            }
            Optional<String> other = SameWork.difference(loadedA.scenario(), loadedB.scenario());
            if (other.isPresent()) {
                throw wrong(
                        "%s and %s do other work, %s; give both the same work and seed"
                                .formatted(a, b, other.get()));
            }
            all.add(new Two(name, a, b, loadedA, loadedB));
        }
        List<CompareJson.Pair> pairs = new ArrayList<>();
        try (RunWatch watch = new RunWatch(err)) {
            for (Two each : all) {
                CompareJson.Pair pair = pair(each, watch);
                pairs.add(pair);
                out.print(CompareText.of(pair.both(), pair.a(), pair.b()));
                out.printf(
                        Locale.ROOT,
                        " took %.1f s; heap %,d MiB%n",
                        pair.seconds(),
                        pair.heapBytes() >> 20);
                out.flush();
            }
            write(pairs, out);
        }
        boolean isGood = pairs.stream().allMatch(it -> it.both().isGood());
        return isGood ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /// Names in both folders; one empty name of two files.
    private List<String> names() throws IOException {
        if (!Files.isDirectory(first) && !Files.isDirectory(second)) {
            return List.of("");
        }
        if (!Files.isDirectory(first) || !Files.isDirectory(second)) {
            throw wrong("one of the two is a folder; give two files or two folders");
        }
        SortedSet<String> names = scenarios(first);
        SortedSet<String> others = scenarios(second);
        if (!names.equals(others)) {
            TreeSet<String> lone = new TreeSet<>(names);
            lone.addAll(others);
            lone.removeIf(it -> names.contains(it) && others.contains(it));
            throw wrong("only one folder has " + lone.first() + "; give both the same names");
        }
        if (names.isEmpty()) {
            throw wrong("there is no .yaml file in " + first);
        }
        return List.copyOf(names);
    }

    private static SortedSet<String> scenarios(Path folder) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.map(it -> it.getFileName().toString())
                    .filter(it -> it.endsWith(".yaml"))
                    .forEach(names::add);
        }
        return names;
    }

    private CompareJson.Pair pair(Two two, RunWatch watch) {
        String[] labels = labels(two.a, two.b);
        long beganNs = System.nanoTime();
        Result a = run(two.a, two.loadedA, labels[0], watch);
        Result b = run(two.b, two.loadedB, labels[1], watch);
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        watch.clear();
        Comparison both =
                Comparison.of(
                        new Comparison.Side(labels[0], a),
                        new Comparison.Side(labels[1], b),
                        Setting.different(two.loadedA.text(), two.loadedB.text()));
        String title = two.name.isEmpty() ? labels[0] + " and " + labels[1] : stem(two.a);
        return new CompareJson.Pair(
                title,
                both,
                from(two.a, two.loadedA),
                from(two.b, two.loadedB),
                seconds,
                Runtime.getRuntime().totalMemory());
    }

    private Provenance from(Path file, ScenarioFile.Loaded loaded) {
        return new Provenance(
                file.toString(), loaded.text(), spec.root().version()[0], RunCommand.COMMIT);
    }

    private Result run(Path file, ScenarioFile.Loaded loaded, String label, RunWatch watch) {
        try {
            return ScenarioRun.of(
                    loaded.scenario(), (what, share) -> watch.goOn(label + ": " + what, share));
        } catch (IllegalArgumentException | InvalidRequestException refused) {
            throw wrong(file + ": " + refused.getMessage());
        }
    }

    /// What sentences call the two: names of the files, or of their folders, or letters.
    private static String[] labels(Path a, Path b) {
        String[] files = {stem(a), stem(b)};
        String[] folders = {folder(a), folder(b)};
        for (String[] each : List.of(files, folders)) {
            if (!each[0].equals(each[1])
                    && Stream.of(each).allMatch(it -> !it.isEmpty() && it.length() <= LABEL_MAX)) {
                return each;
            }
        }
        return new String[] {"A", "B"};
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceAll("\\.ya?ml$", "");
    }

    private static String folder(Path file) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null || parent.getFileName() == null
                ? ""
                : parent.getFileName().toString();
    }

    private void write(List<CompareJson.Pair> pairs, PrintWriter out) throws IOException {
        String command = "verbena compare %s %s".formatted(quoted(first), quoted(second));
        if (report != null) {
            Files.writeString(report, HtmlReport.of(pairs, command));
            out.println(" report: " + report);
        }
        if (json != null) {
            Files.writeString(json, CompareJson.of(pairs, command));
        }
    }

    private static String quoted(Path path) {
        return Provenance.quoted(path.toString());
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
