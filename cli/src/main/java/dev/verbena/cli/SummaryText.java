package dev.verbena.cli;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The summary at the end of a decode: the flows of the capture, the busiest first.
final class SummaryText {
    /// More flows than this are in the JSON form only; a screen has its limits.
    static final int FLOWS_SHOWN = 40;

    private SummaryText() {}

    static void print(FlowTable table, PrintWriter out) {
        out.println();
        out.printf(
                Locale.ROOT,
                "%s in %.6f s: %s%n",
                Texts.plural(table.frames(), "frame"),
                table.seconds(),
                list(
                        table.kinds().entrySet().stream()
                                .map(kind -> Texts.count(kind.getValue()) + " " + kind.getKey())
                                .toList()));
        checksums(table, out);
        table.refusals()
                .forEach(
                        (reason, count) ->
                                out.printf("refused %s: %s%n", Texts.count(count), reason));
        flows(table, out);
    }

    private static String list(List<String> parts) {
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }

    private static void checksums(FlowTable table, PrintWriter out) {
        if (table.icrcRight() + table.icrcWrong() > 0) {
            out.printf(
                    "ICRC %s right, %s wrong%n",
                    Texts.count(table.icrcRight()), Texts.count(table.icrcWrong()));
        }
        if (table.vcrcRight() + table.vcrcWrong() > 0) {
            out.printf(
                    "VCRC %s right, %s wrong%n",
                    Texts.count(table.vcrcRight()), Texts.count(table.vcrcWrong()));
        }
    }

    private static void flows(FlowTable table, PrintWriter out) {
        if (table.flows().isEmpty()) {
            return;
        }
        List<CapturedFlow> busiest =
                table.flows().stream()
                        .sorted(Comparator.comparingLong(CapturedFlow::packets).reversed())
                        .limit(FLOWS_SHOWN)
                        .toList();
        int width = busiest.stream().mapToInt(flow -> path(flow).length()).max().orElse(4);
        out.println();
        out.printf(
                "%-" + width + "s  %-8s %-4s %8s %12s %8s %8s %7s %5s %5s %5s %4s %4s %8s%n",
                "flow",
                "qp",
                "type",
                "packets",
                "bytes",
                "psn",
                "to psn",
                "rexmit",
                "nak",
                "fatal",
                "rnr",
                "ce",
                "cnp",
                "bad icrc");
        for (CapturedFlow flow : busiest) {
            out.println(row(flow, width));
        }
        int hidden = table.flows().size() - busiest.size();
        if (hidden > 0 || table.outsideTable() > 0) {
            out.printf(
                    "and %s, and %s outside the table of %s%n",
                    Texts.plural(hidden, "more flow"),
                    Texts.plural(table.outsideTable(), "packet"),
                    Texts.count(FlowTable.FLOWS_MAX));
        }
    }

    private static String path(CapturedFlow flow) {
        return flow.key().source() + " > " + flow.key().destination();
    }

    private static String row(CapturedFlow flow, int width) {
        List<Long> counts =
                List.of(
                        flow.retransmissions(),
                        flow.sequenceNaks(),
                        flow.fatalNaks(),
                        flow.receiverNotReady(),
                        flow.congestionMarks(),
                        flow.congestionNotifications(),
                        flow.wrongChecksums());
        int[] widths = {7, 5, 5, 5, 4, 4, 8};
        String tail =
                IntStream.range(0, widths.length)
                        .mapToObj(
                                i ->
                                        String.format(
                                                Locale.ROOT,
                                                " %" + widths[i] + "s",
                                                counts.get(i) == 0 ? "-" : counts.get(i)))
                        .collect(Collectors.joining());
        return String.format(
                        Locale.ROOT,
                        "%-" + width + "s  %-8s %-4s %8d %12d %8s %8s",
                        path(flow),
                        Texts.hex24(flow.key().destQp()),
                        flow.key().service().title(),
                        flow.packets(),
                        flow.payloadBytes(),
                        flow.firstPsn() < 0 ? "-" : Texts.hex24(flow.firstPsn()),
                        flow.newestPsn() < 0 ? "-" : Texts.hex24(flow.newestPsn()))
                + tail;
    }
}
