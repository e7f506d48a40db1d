package dev.verbena.benchmarks.roce;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.verbena.benchmarks.results.Machine;
import dev.verbena.benchmarks.results.ResultLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `bin/bench roce`: measures, prints, writes the page, and fails when a limit is not reached.
public final class RoceBench {
    private static final List<String> LOGS =
            List.of(
                    "loopback",
                    "modes",
                    "operations",
                    "contention",
                    "veth",
                    "paths",
                    "profile",
                    "allocation");
    private static final int ROUNDS = 7;

    /// What `perf` shows with default flags, of what this command measures.
    private static final double DEFAULT_FLAGS = 0.9;

    /// Where the measured figures are that the page in the documentation is of.
    static final String KEPT = "benchmarks/results/roce";

    static final String PAGE = "docs/roce-speed.md";
    static final String PICTURE = "docs/two-paths.svg";
    static final String CONTENTION_PICTURE = "docs/contention.svg";

    private final Path root;
    private final Path directory;
    private final ResultLog log = new ResultLog();
    private String only = "";

    private RoceBench(Path root) throws IOException {
        this.root = root;
        directory = Files.createDirectories(root.resolve("benchmarks/target/roce"));
    }

    /// Takes the root of the checkout, then flags.
    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        RoceBench bench = new RoceBench(Path.of(words.removeFirst()));
        int rounds = Integer.parseInt(value(words, "--runs", Integer.toString(ROUNDS)));
        bench.only = value(words, "--only", "");
        String what = words.isEmpty() ? "--loopback" : words.removeFirst();
        if (!words.isEmpty() || rounds < 1) {
            usage();
        }
        boolean passed = true;
        switch (what) {
            case "--loopback" -> passed = bench.loopback(rounds);
            case "--veth" -> passed = bench.veth(rounds);
            case "--modes" -> passed = bench.modes(rounds);
            case "--operations" -> passed = bench.operations(rounds);
            case "--contention" -> passed = bench.contention(rounds);
            case "--paths" -> bench.paths(rounds);
            case "--allocation" -> passed = bench.allocation();
            case "--profile" -> bench.profile();
            case "--page" -> {}
            case "--keep" -> bench.keep();
            default -> usage();
        }
        System.out.println(bench.page() + " has the page; bin/bench roce --keep takes it to docs");
        System.exit(passed ? 0 : 1);
    }

    /// Takes a flag and its value out of the words.
    private static String value(List<String> words, String flag, String usual) {
        int at = words.indexOf(flag);
        if (at < 0 || at + 1 == words.size()) {
            return usual;
        }
        String value = words.get(at + 1);
        words.subList(at, at + 2).clear();
        return value;
    }

    private static void usage() {
        System.err.println(
                "usage: bin/bench roce [--loopback | --modes | --operations | --contention | --veth"
                    + " | --paths | --allocation | --profile | --page | --keep] [--runs N] [--only"
                    + " TEXT]");
        System.exit(2);
    }

    private List<MeasuredProgram> programs() throws IOException {
        BareC bare = BareC.compile(root.resolve("benchmarks/src/main/c"), directory);
        return List.of(
                bare,
                bare.withCrc(),
                new VerbenaPerf(root),
                new DefaultPerf(root),
                new Ucx(),
                new Libfabric("udp;ofi_rxd"),
                new Libfabric("tcp;ofi_rxm"),
                new Iperf());
    }

    private boolean loopback(int rounds) throws IOException {
        WireEnds place = WireEnds.loopback();
        Machine.describe(place.name(), root, log);
        List<Subject> subjects = chosen(Subject.all());
        Path file = directory.resolve("loopback.jsonl");
        new BenchmarkRounds(programs(), log, file).run(place, subjects, rounds);
        boolean passed = judge(place, subjects);
        for (Subject one : subjects) {
            String what = one.name();
            Comparison figures = new Comparison(log, place.name());
            passed &= figures.holds(DefaultPerf.NAME, what, VerbenaPerf.NAME, what, DEFAULT_FLAGS);
        }
        return passed;
    }

    private boolean veth(int rounds) throws IOException {
        boolean passed = true;
        List<MeasuredProgram> programs = programs();
        List<Subject> subjects = chosen(Subject.basic());
        Path file = directory.resolve("veth.jsonl");
        for (boolean segments : new boolean[] {false, true}) {
            for (int mtu : new int[] {1500, 9000}) {
                try (VethLab lab = VethLab.open(mtu, segments)) {
                    Machine.describe(lab.place().name(), root, log);
                    new BenchmarkRounds(programs, log, file).run(lab.place(), subjects, rounds);
                    passed &= judge(lab.place(), subjects);
                }
            }
        }
        return passed;
    }

    /// The subjects whose name has what `--only` says.
    private List<Subject> chosen(List<Subject> subjects) {
        return subjects.stream().filter(one -> one.name().contains(only)).toList();
    }

    private boolean modes(int rounds) throws IOException {
        Machine.describe(LatencyModes.PLACE, root, log);
        boolean passed = new LatencyModes(root, log).run(rounds);
        log.write(directory.resolve("modes.jsonl"));
        return passed;
    }

    private boolean operations(int rounds) throws IOException {
        Machine.describe(Operations.PLACE, root, log);
        BareC bare = BareC.compile(root.resolve("benchmarks/src/main/c"), directory);
        Path file = directory.resolve("operations.jsonl");
        return new Operations(root, bare, log, file).run(chosen(Operations.subjects()), rounds);
    }

    private boolean contention(int rounds) throws IOException {
        Machine.describe(Contention.PLACE, root, log);
        return new Contention(root, log, directory.resolve("contention.jsonl")).run(rounds);
    }

    private void paths(int rounds) throws IOException {
        Machine.describe(TwoPaths.PLACE, root, log);
        new TwoPaths(root, log).run(rounds);
        log.write(directory.resolve("paths.jsonl"));
    }

    private boolean allocation() throws IOException {
        Machine.describe(SteadyState.PLACE, root, log);
        SteadyState state = new SteadyState(new VerbenaPerf(root), log);
        List<Subject> subjects =
                Subject.basic().stream().filter(one -> !one.setting().isCoalesced()).toList();
        boolean passed = state.run(chosen(subjects), WireEnds.loopback());
        log.write(directory.resolve("allocation.jsonl"));
        return passed;
    }

    private void profile() throws IOException {
        Machine.describe(Profile.PLACE, root, log);
        Profile profile = new Profile(new VerbenaPerf(root), log);
        for (Subject subject : chosen(Subject.basic())) {
            profile.run(subject, WireEnds.loopback());
        }
        log.write(directory.resolve("profile.jsonl"));
    }

    /// Limits hold on loopback; elsewhere there only must be a figure.
    private boolean judge(WireEnds place, List<Subject> subjects) {
        boolean passed = true;
        for (Subject subject : subjects) {
            double ratio =
                    log.ratio(place.name(), subject.name(), VerbenaPerf.NAME, BareC.NAME)
                            .orElse(Double.NaN);
            Subject.Bound bound = place.isLoopback() ? subject.bound() : Subject.Bound.NONE;
            boolean failed = Double.isNaN(ratio);
            if (!bound.isNone() && !failed) {
                failed = subject.isMissed(ratio, bound.limit());
            }
            passed &= !failed;
            String verdict = failed ? "FAILED" : "ok";
            if (!failed && !bound.isNone() && subject.isMissed(ratio, bound.goal())) {
                verdict = "ok, misses its goal";
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-52s %.2f of bare C%s: %s%n",
                    subject.name(),
                    ratio,
                    bound.isNone()
                            ? ""
                            : " (limit %s, goal %s)".formatted(bound.limit(), bound.goal()),
                    verdict);
        }
        return passed;
    }

    /// Takes what was measured, and its page, into the repository.
    private void keep() throws IOException {
        Path kept = Files.createDirectories(root.resolve(KEPT));
        for (String name : LOGS) {
            Path file = directory.resolve(name + ".jsonl");
            if (Files.exists(file)) {
                Files.copy(file, kept.resolve(name + ".jsonl"), REPLACE_EXISTING);
            }
        }
        Files.writeString(root.resolve(PAGE), pageOf(kept));
        Files.writeString(root.resolve(PICTURE), pictureOf(kept));
        Files.writeString(root.resolve(CONTENTION_PICTURE), ContentionPicture.of(logOf(kept)));
    }

    private Path page() throws IOException {
        return Files.writeString(directory.resolve("roce-speed.md"), pageOf(directory));
    }

    /// The page of the logs in a directory.
    static String pageOf(Path logs) throws IOException {
        return new RocePage(logOf(logs)).text();
    }

    /// The picture of the two paths, from the logs in a directory.
    static String pictureOf(Path logs) throws IOException {
        return PathsPicture.of(logOf(logs));
    }

    static ResultLog logOf(Path logs) throws IOException {
        return ResultLog.read(LOGS.stream().map(name -> logs.resolve(name + ".jsonl")).toList());
    }
}
