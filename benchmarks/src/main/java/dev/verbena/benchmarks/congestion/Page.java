package dev.verbena.benchmarks.congestion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The page about a run of `bin/congestion`, and whether it shows what it should.
final class Page {
    /// A flow may have so much more or less than its share.
    private static final double UNFAIRNESS = 0.10;

    /// A flow with less than this part of its share is starved, which no busy machine excuses.
    private static final double STARVED = 0.5;

    /// Percent of the processors' time that others may take before rates mean nothing.
    private static final double STOLEN_MAX = 5;

    /// When the second flow is over, as `bin/congestion` has it.
    private static final double SECOND_LEAVES = 10;

    private final double mbits;
    private final Run joins;
    private final Run eight;
    private final Run without;
    private final String summary;
    private final Recovery recovery;
    private final List<String> missed = new ArrayList<>();
    private final List<String> unmet = new ArrayList<>();
    private final List<String> unjudged = new ArrayList<>();
    private final StringBuilder page = new StringBuilder(4096);

    private Page(double mbits, Path directory, String options) throws IOException {
        this.mbits = mbits;
        joins = Run.read(directory, "joins");
        eight = Run.read(directory, "eight");
        without = Run.read(directory, "without");
        summary = Files.readString(directory.resolve("joins.summary"));
        recovery = Recovery.of(joins.flows(), SECOND_LEAVES, joins.flows().rate(0, 2, 4), options);
    }

    /// Prints the page for `page COMMIT MBITS DIRECTORY OPTIONS` and draws the picture in it;
    /// returns whether the run shows what every run must. Rates depend on the machine: where they
    /// fall short of their aims the page says so, and `bin/congestion --keep` refuses it.
    static boolean print(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[3]);
        Page page = new Page(Double.parseDouble(arguments[2]), directory, arguments[4]);
        Files.writeString(
                directory.resolve("congestion-live.svg"), Chart.of(page.joins.flows(), page.mbits));
        System.out.print(page.text(arguments[1]));
        page.missed.forEach(what -> System.err.println("missed: " + what));
        return page.missed.isEmpty();
    }

    private String text(String commit) {
        page.append(
                """
                <!-- Written by bin/congestion from the records of a run; run it again instead of \
                editing. -->
                # Congestion control, live

                Hosts in one network namespace write to one in another, through a port of %.0f \
                Mb/s with a queue
                of 1 MB that marks as DCQCN expects and drops packets that do not fit \
                (`benchmarks/src/main/c/bottleneck/bottleneck.c`).
                Each host is a device of its own, `roce://…?cc=published`, with the paper's \
                parameters scaled for
                threads instead of NICs; they are in `bin/congestion`. All hosts share two \
                processors. Commit %s.

                ## One flow, a second one joins and leaves

                ![rates of two flows over time](congestion-live.svg)

                """
                        .formatted(mbits, commit));
        seconds();
        page.append(
                """

                After the second flow has left, the first regains nine tenths of its rate in \
                %.1f s; the equations give
                %.1f s, from the share that it had.
                """
                        .formatted(recovery.measured(), recovery.expected()));
        page.append("\nTwo seconds of a capture at the receiver, by `verbena decode --summary`:\n");
        page.append("\n```\n").append(summary.strip()).append("\n```\n");
        page.append(
                """

                ## Shares, marks and losses

                | flows | control | Mb/s of a flow, least to most | of the line | marked \
                | CNPs | dropped | sent again | gave up |
                |---:|---|---:|---:|---:|---:|---:|---:|---:|
                """);
        row("DCQCN", joins, 6, 10);
        row("DCQCN", eight, 5, eight.flows().seconds());
        row("none", without, 2, without.flows().seconds());
        judge();
        page.append(
                """

                The share of the line counts payload; headers and gaps take 2 %. \
                Rates are of the last
                seconds that all flows share, counts of the whole run.

                Goals: flows within 10 % of their share, no CNP without a mark, a tenth of the \
                losses. \
                """);
        verdict();
        return page.toString();
    }

    private void verdict() {
        page.append(
                missed.isEmpty() && unmet.isEmpty() && unjudged.isEmpty()
                        ? "All are met.\n"
                        : "Missed: " + missed + ".\n");
        if (!unmet.isEmpty()) {
            page.append("\nNot met by the rates of this run: ").append(unmet).append(".\n");
        }
        if (!unjudged.isEmpty()) {
            page.append("\nNot judged, because other machines took processor time ");
            page.append(
                    "(%.0f, %.0f and %.0f %% in the three runs): %s.%n"
                            .formatted(joins.stolen(), eight.stolen(), without.stolen(), unjudged));
        }
    }

    private void seconds() {
        page.append("| second | flow 1, Mb/s | flow 2, Mb/s |\n|---:|---:|---:|\n");
        for (int second = 0; second + 1 <= joins.flows().seconds(); second++) {
            page.append(
                    "| %d | %.0f | %.0f |%n"
                            .formatted(
                                    second + 1,
                                    joins.flows().rate(0, second, second + 1),
                                    joins.flows().rate(1, second, second + 1)));
        }
    }

    private void row(String control, Run run, double from, double to) {
        double[] rates = run.rates(from, to);
        page.append(
                "| %d | %s | %.0f to %.0f | %.2f | %,d | %,d | %,d | %,d | %d |%n"
                        .formatted(
                                rates.length,
                                control,
                                rates[0],
                                rates[rates.length - 1],
                                Arrays.stream(rates).sum() / mbits,
                                run.port("marked"),
                                run.received("np_cnp_sent"),
                                run.port("dropped"),
                                run.sent("req_retransmits"),
                                run.sent(Run.GIVEN_UP)));
    }

    /// Counts are judged always. Rates, and flows that give up, are aims: two processors carry all
    /// hosts, the port and the capture, so that a run can fall short without a fault of the
    /// control; and where other machines took processor time they say nothing.
    private void judge() {
        fair(joins, "two flows", joins.rates(6, 10));
        fair(eight, "eight flows", eight.rates(5, eight.flows().seconds()));
        double alone = joins.flows().rate(0, 2, 4);
        double shared = joins.flows().rate(0, 6, 10);
        double again = joins.flows().rate(0, 13, 16);
        rate(joins, shared < 0.7 * alone, "the first flow gives way");
        rate(joins, again > 0.9 * alone, "the first flow recovers");
        rate(
                joins,
                recovery.isAsExpected(),
                "it recovers within twice the time that the equations say");
        for (Run run : List.of(joins, eight)) {
            long told = run.received("np_cnp_sent");
            aim(told > 0 && told <= run.port("marked"), "CNPs follow from marks");
            aim(run.sent("rp_cnp_handled") > 0, "senders heed them");
            // A receiver that had no processor for half a second is given up, rightly.
            rate(run, run.sent(Run.GIVEN_UP) == 0, "no flow gives up");
        }
        aim(without.received("np_cnp_sent") == 0, "no CNP without control");
        aim(eight.port("dropped") * 10 <= without.port("dropped"), "a tenth of the losses");
    }

    private void fair(Run run, String who, double[] rates) {
        double mean = Arrays.stream(rates).average().orElse(0);
        double off = Math.max(rates[rates.length - 1] / mean - 1, 1 - rates[0] / mean);
        rate(run, off <= UNFAIRNESS, "%s within 10 %% (%.1f %%)".formatted(who, 100 * off));
        if (run.stolen() <= STOLEN_MAX) {
            aim(rates[0] >= STARVED * mean, "none of %s starves".formatted(who));
        }
    }

    private void rate(Run run, boolean isMet, String what) {
        if (!isMet) {
            (run.stolen() <= STOLEN_MAX ? unmet : unjudged).add(what);
        }
    }

    private void aim(boolean isMet, String what) {
        if (!isMet) {
            missed.add(what);
        }
    }
}
