package dev.verbena.benchmarks.roce;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.Machine;
import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.results.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `bin/bench coll`: all-reduce of two ranks beside Open MPI, between two network namespaces; needs
/// root.
public final class AllReduceBench {
    static final String PAGE = "docs/collectives-speed.md";
    static final String KEPT = "benchmarks/results/coll";
    static final String LOG = "all-reduce.jsonl";

    private static final int ROUNDS = 5;
    private static final int JUMBO = 9000;
    private static final long SHORT_MAX = 4096;
    private static final long LONG_MIN = 1 << 20;

    private final Path root;
    private final Path directory;
    private final ResultLog log = new ResultLog();

    private AllReduceBench(Path root) throws IOException {
        this.root = root;
        directory = Files.createDirectories(root.resolve("benchmarks/target/coll"));
    }

    /// Takes the root of the checkout, then flags.
    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        AllReduceBench bench = new AllReduceBench(Path.of(words.removeFirst()));
        int rounds = ROUNDS;
        if (words.size() == 2 && words.getFirst().equals("--runs")) {
            rounds = Integer.parseInt(words.removeLast());
            words.removeLast();
        }
        if (words.equals(List.of("--keep"))) {
            bench.keep();
            return;
        }
        if (!words.isEmpty() || rounds < 1) {
            System.err.println("usage: bin/bench coll [--runs N | --keep]");
            System.exit(2);
        }
        boolean passed = bench.run(rounds);
        Path page = bench.directory.resolve("collectives-speed.md");
        Files.writeString(page, pageOf(bench.directory));
        System.out.println(page + " has the page; bin/bench coll --keep takes it to docs");
        System.exit(passed ? 0 : 1);
    }

    static String place(int mtu) {
        return "all-reduce, MTU %,d".formatted(mtu);
    }

    /// Figures of the system calls alone.
    static String barePlace(int mtu) {
        return "bare C, MTU %,d".formatted(mtu);
    }

    private boolean run(int rounds) throws IOException {
        BareC bare = BareC.compile(root.resolve("benchmarks/src/main/c"), directory);
        List<AllReduceProgram> programs = new ArrayList<>();
        for (AllReduceProgram program :
                List.of(
                        new OpenMpi(root, directory, false),
                        new VerbenaRanks(root, false),
                        new VerbenaRanks(root, true),
                        new OpenMpi(root, directory, true))) {
            program.obstacle()
                    .ifPresentOrElse(
                            text -> note(program.name() + " left out: " + text),
                            () -> programs.add(program));
        }
        Machine.describe("all-reduce", root, log);
        for (int round = 1; round <= rounds; round++) {
            for (int mtu : new int[] {JUMBO, 1500}) {
                System.out.printf("-- MTU %,d, round %d of %d%n", mtu, round, rounds);
                try (VethLab lab = VethLab.open(mtu, false)) {
                    measure(programs, lab.place(), place(mtu));
                    limits(bare, lab.place(), barePlace(mtu));
                }
            }
        }
        return judge();
    }

    private void note(String text) {
        log.add(new Entry.Note("all-reduce", "note", text));
        System.out.println(text);
    }

    private void measure(List<AllReduceProgram> programs, WireEnds ends, String place)
            throws IOException {
        for (AllReduceGroup group : AllReduceGroup.ALL) {
            for (AllReduceProgram program : programs) {
                try {
                    program.run(group, ends)
                            .forEach((size, us) -> add(place, size, program.name(), us));
                } catch (BenchException failed) {
                    String text = Values.shortened(String.valueOf(failed.getMessage()));
                    note(program.name() + " failed once: " + text);
                }
            }
            log.write(directory.resolve(LOG));
        }
    }

    private void limits(BareC bare, WireEnds ends, String place) throws IOException {
        for (Subject subject : Subject.limits()) {
            for (BareC program : List.of(bare, bare.withCrc())) {
                if (!program.takes(subject, ends)) {
                    continue;
                }
                double value = program.run(subject, ends);
                String unit = subject.kind().unit;
                log.add(new Entry.Figure(place, subject.name(), program.name(), value, unit));
                System.out.printf(
                        Locale.ROOT,
                        "%-30s %-26s %8.2f %s%n",
                        subject.name(),
                        program.name(),
                        value,
                        unit);
            }
        }
        log.write(directory.resolve(LOG));
    }

    private void add(String place, long size, String who, double us) {
        String what = AllReduceGroup.name(size);
        log.add(new Entry.Figure(place, what, who, us, "us"));
        System.out.printf(Locale.ROOT, "%-10s %-26s %12.2f us%n", what, who, us);
    }

    private boolean judge() {
        boolean passed = true;
        for (int mtu : new int[] {JUMBO, 1500}) {
            for (long size : AllReduceGroup.allSizes()) {
                double most =
                        size <= SHORT_MAX ? 1 : size >= LONG_MIN && mtu == JUMBO ? 2 : Double.NaN;
                if (!Double.isNaN(most)) {
                    passed &= holds(place(mtu), AllReduceGroup.name(size), most);
                }
            }
        }
        return passed;
    }

    private boolean holds(String place, String size, double most) {
        double ratio =
                AllReduceRatio.of(log, place, size, VerbenaRanks.DEFAULT)
                        .map(AllReduceRatio::median)
                        .orElse(Double.NaN);
        boolean isMet = ratio <= most;
        System.out.printf(
                Locale.ROOT,
                "%s, %s: %.2f of Open MPI's time, at most %.0f: %s%n",
                place,
                size,
                ratio,
                most,
                isMet ? "ok" : "FAILED");
        return isMet;
    }

    /// Takes what was measured, and its page, into the repository.
    private void keep() throws IOException {
        Path kept = Files.createDirectories(root.resolve(KEPT));
        Files.copy(directory.resolve(LOG), kept.resolve(LOG), REPLACE_EXISTING);
        Files.writeString(root.resolve(PAGE), pageOf(kept));
    }

    /// The page of the log in a directory.
    static String pageOf(Path logs) throws IOException {
        return new AllReducePage(ResultLog.read(List.of(logs.resolve(LOG)))).text();
    }
}
