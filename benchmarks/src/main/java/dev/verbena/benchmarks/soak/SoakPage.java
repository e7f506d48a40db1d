package dev.verbena.benchmarks.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What an endurance run has shown: rate and memory over time, and whether memory was flat.
final class SoakPage {
    private static final int ROWS = 13;
    private static final double MIB = 1 << 20;

    /// Compilers, caches and pools are full only after some time.
    private static final double WARM_SECONDS = 300;

    /// What memory may grow by from the second quarter to the last, beside a twentieth of it.
    private static final double GROWTH = 8 * MIB;

    private final List<Sample> client;
    private final List<Sample> server;

    SoakPage(List<Sample> client, List<Sample> server) {
        this.client = client;
        this.server = server;
    }

    /// Prints the page for `page COMMIT CLIENT SERVER LOST PASSED`; returns whether memory was
    /// flat.
    static boolean print(String[] arguments) throws IOException {
        SoakPage page =
                new SoakPage(
                        Sample.parse(Files.readAllLines(Path.of(arguments[2]))),
                        Sample.parse(Files.readAllLines(Path.of(arguments[3]))));
        List<String> grown = page.grown();
        System.out.print(
                page.text(
                        arguments[1],
                        Long.parseLong(arguments[4]),
                        Long.parseLong(arguments[5]),
                        grown));
        return grown.isEmpty();
    }

    String text(String commit, long lost, long passed, List<String> grown) {
        Sample end = client.getLast();
        StringBuilder page = new StringBuilder(4096);
        page.append(
                """
                <!-- Written by bin/soak from the records of a run; run it again instead of \
                editing. -->
                ## The longest endurance run

                Two processes run in two network namespaces on one machine. They have 8 connections
                at a time, which the connection manager makes and ends, for 100 to 2,100 messages
                each. Messages must arrive once, in order and whole. Each WRITE is read back. A
                remote counter must take each value once. Both sides count, and compare at the end
                of each connection. All bytes are checked. The kernel drops packets in both
                directions at random (`iptables -m statistic`). The machine has two cores and other
                work.

                """);
        page.append("Commit ").append(commit).append(". ");
        page.append(
                "%,.0f minutes, %,d messages, %,.1f GB, %,d connections; "
                        .formatted(
                                end.seconds() / 60,
                                end.messages(),
                                end.bytes() / 1e9,
                                end.connections()));
        page.append(
                "%,d of %,d packets lost (%.2f %%); no message was lost, duplicated or changed.%n"
                        .formatted(lost, lost + passed, 100.0 * lost / (lost + passed)));
        page.append(
                grown.isEmpty()
                        ? "Memory is flat: "
                        : "Memory has grown: " + String.join("; ", grown) + ". ");
        page.append(
                """
                the last quarter compared with the second, on both sides: heap after a collection,
                resident memory, descriptors and threads.

                | minute | Gbit/s | messages/s | connections/s | gaps/s | time-outs/s \
                | heap, MiB | resident, MiB | descriptors | threads |
                |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """);
        rows(page);
        page.append(
                "\n"
                    + "Heap, resident memory, descriptors and threads: connecting side, accepting"
                    + " side. ");
        page.append("Command: `bin/soak MINUTES`.\n");
        return page.toString();
    }

    private void rows(StringBuilder page) {
        Sample before = null;
        int step = Math.max(1, client.size() / ROWS);
        for (int i = step - 1; i < client.size(); i += step) {
            Sample now = client.get(i);
            Sample there = server.get(Math.min(i, server.size() - 1));
            double seconds = now.seconds() - (before == null ? 0 : before.seconds());
            page.append("| %.0f ".formatted(now.seconds() / 60));
            page.append("| %.2f ".formatted(rate(now, before, Sample::bytes) * 8 / 1e9 / seconds));
            page.append("| %,.0f ".formatted(rate(now, before, Sample::messages) / seconds));
            page.append("| %.1f ".formatted(rate(now, before, Sample::connections) / seconds));
            page.append("| %,.0f ".formatted(rate(now, before, Sample::gaps) / seconds));
            page.append("| %.1f ".formatted(rate(now, before, Sample::waited) / seconds));
            page.append(
                    "| %.1f, %.1f | %.0f, %.0f | %d, %d | %d, %d |%n"
                            .formatted(
                                    now.memory().heapBytes() / MIB,
                                    there.memory().heapBytes() / MIB,
                                    now.memory().residentBytes() / MIB,
                                    there.memory().residentBytes() / MIB,
                                    now.memory().descriptors(),
                                    there.memory().descriptors(),
                                    now.memory().threads(),
                                    there.memory().threads()));
            before = now;
        }
    }

    private static double rate(Sample now, @Nullable Sample before, ToDoubleFunction<Sample> of) {
        return of.applyAsDouble(now) - (before == null ? 0 : of.applyAsDouble(before));
    }

    /// What has grown, of what must not.
    List<String> grown() {
        List<String> grown = new ArrayList<>();
        look("connecting side", client, grown);
        look("accepting side", server, grown);
        return grown;
    }

    static void look(String side, List<Sample> samples, List<String> grown) {
        boolean isLong = samples.getLast().seconds() > 2 * WARM_SECONDS;
        double slack = isLong ? GROWTH : 64 * GROWTH;
        compare(side + ", heap", samples, it -> it.memory().heapBytes(), slack, grown);
        compare(side + ", resident", samples, it -> it.memory().residentBytes(), slack, grown);
        compare(side + ", descriptors", samples, it -> it.memory().descriptors(), 0, grown);
        compare(side + ", threads", samples, it -> it.memory().threads(), 2, grown);
    }

    private static void compare(
            String what,
            List<Sample> samples,
            ToDoubleFunction<Sample> of,
            double slack,
            List<String> grown) {
        int quarter = samples.size() / 4;
        double early = mean(samples.subList(quarter, Math.max(quarter + 1, 2 * quarter)), of);
        double late = mean(samples.subList(3 * quarter, samples.size()), of);
        if (late > 1.05 * early + slack) {
            grown.add("%s from %,.0f to %,.0f".formatted(what, early, late));
        }
    }

    private static double mean(List<Sample> samples, ToDoubleFunction<Sample> of) {
        return samples.stream().mapToDouble(of).average().orElse(0);
    }
}
