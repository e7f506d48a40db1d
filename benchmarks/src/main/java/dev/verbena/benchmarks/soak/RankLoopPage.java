package dev.verbena.benchmarks.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What an endurance run of collective operations has shown.
final class RankLoopPage {
    private static final int ROWS = 10;
    private static final double MIB = 1 << 20;

    /// A step of a long vector must not allocate; an operation has a few objects of its own.
    private static final double MADE_MAX = 4096;

    private final List<List<Sample>> ranks = new ArrayList<>();
    private final List<String> allocations;

    private RankLoopPage(List<Path> records) throws IOException {
        for (Path record : records) {
            ranks.add(Sample.parse(Files.readAllLines(record)));
        }
        allocations = Files.readAllLines(Path.of(records.getFirst() + ".made"));
    }

    /// Prints the page for `ranks-page COMMIT SEED RECORD…`; returns whether memory was flat and
    /// steps allocated nothing.
    static boolean print(String[] arguments) throws IOException {
        List<Path> records = new ArrayList<>();
        for (int i = 3; i < arguments.length; i++) {
            records.add(Path.of(arguments[i]));
        }
        RankLoopPage page = new RankLoopPage(records);
        List<String> faults = page.faults();
        System.out.print(page.text(arguments[1], arguments[2], faults));
        return faults.isEmpty();
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            SoakPage.look("rank " + rank, ranks.get(rank), faults);
        }
        for (String line : allocations) {
            String[] words = line.split("\t", -1);
            if (Double.parseDouble(words[3]) > MADE_MAX) {
                faults.add("%s allocates %s bytes".formatted(words[0], words[3]));
            }
        }
        return faults;
    }

    private String text(String commit, String seed, List<String> faults) {
        Sample end = ranks.getFirst().getLast();
        StringBuilder page = new StringBuilder(4096);
        page.append(
                """
                <!-- Written by bin/soak-ranks from the records of a run; run it again instead of \
                editing. -->
                ## Collective operations, on and on

                Processes on one machine, a rank each over `roce://`, carry out operation after \
                operation by seed: all-reduce, all-gather, reduce-scatter, broadcast and \
                all-to-all of 4 B to 1 MiB. Every element of every result is checked.

                """);
        page.append(
                "Commit %s, seed %s: %d ranks, %.0f minutes, %,d operations at each, %,.1f GB. "
                        .formatted(
                                commit,
                                seed,
                                ranks.size(),
                                end.seconds() / 60,
                                end.messages(),
                                end.bytes() / 1e9));
        page.append("No element was wrong. ");
        page.append(
                faults.isEmpty()
                        ? "Memory is flat at each rank, the last quarter beside the second.\n"
                        : "Not as it should be: " + String.join("; ", faults) + ".\n");
        rows(page);
        page.append(
                """

                A thread allocates in the calls of one operation, at rank 0:

                | operation | vectors | mean length | bytes allocated |
                |---|---:|---:|---:|
                """);
        for (String line : allocations) {
            String[] words = line.split("\t", -1);
            page.append(
                    "| %s | %,d | %,d | %s |%n"
                            .formatted(
                                    words[0],
                                    Long.parseLong(words[1]),
                                    Long.parseLong(words[2]),
                                    words[3]));
        }
        page.append("\nCommand: `bin/soak-ranks MINUTES`.\n");
        return page.toString();
    }

    private void rows(StringBuilder page) {
        page.append(
                """

                | minute | operations/s | heap, MiB | resident, MiB | descriptors | threads |
                |---:|---:|---:|---:|---:|---:|
                """);
        List<Sample> first = ranks.getFirst();
        int step = Math.max(1, first.size() / ROWS);
        long messages = 0;
        double seconds = 0;
        for (int i = step - 1; i < first.size(); i += step) {
            Sample now = first.get(i);
            ProcessMemory memory = now.memory();
            page.append(
                    "| %.0f | %,.0f | %.1f | %.0f | %d | %d |%n"
                            .formatted(
                                    now.seconds() / 60,
                                    (now.messages() - messages) / (now.seconds() - seconds),
                                    memory.heapBytes() / MIB,
                                    memory.residentBytes() / MIB,
                                    memory.descriptors(),
                                    memory.threads()));
            messages = now.messages();
            seconds = now.seconds();
        }
    }
}
