package dev.verbena.scenario.report;

import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.run.Finding;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.WorkTimes;
import java.util.Locale;

/// A result in lines of 80 columns: first the verdict, then figures, then what must hold.
public final class TextReport {
    private final Result result;
    private final Lines lines = new Lines();

    private TextReport(Result result) {
        this.result = result;
    }

    /// All lines.
    public static String of(Result result, Provenance from) {
        TextReport made = new TextReport(result);
        made.verdict();
        made.figures();
        made.works();
        made.checks();
        made.foot(from);
        return made.lines.toString();
    }

    private void verdict() {
        Scenario scenario = result.outcome().scenario();
        Finding finding = result.finding();
        lines.wrapped("", scenario.title());
        lines.rule();
        lines.wrapped("", finding.headline());
        finding.details().forEach(it -> lines.wrapped("  ", it));
        if (!finding.remedy().isEmpty()) {
            lines.wrapped("Try: ", finding.remedy());
        }
        lines.rule();
        lines.wrapped(" ", scenario.network().topology().toString());
        lines.wrapped(" ", scenario.network().text() + ", seed " + scenario.seed());
        if (scenario.isFlowLevel()) {
            lines.line(" as flows: no queues, no losses, no congestion control");
        }
    }

    private void figures() {
        boolean hasBefore = result.baseline().isPresent();
        lines.line(
                " %-28s %22s%s"
                        .formatted(
                                "",
                                "this run",
                                hasBefore ? "%24s".formatted("without faults") : ""));
        for (Kpi each : Kpi.of(result)) {
            lines.line(
                    " %-28s %22s%s"
                            .formatted(
                                    each.label(),
                                    each.value(),
                                    hasBefore ? "%24s".formatted(each.before()) : ""));
        }
    }

    private void works() {
        lines.rule();
        lines.line(
                " %-14s %11s %11s %11s %11s %9s"
                        .formatted(
                                "workload", "over", "t_50%[us]", "t_99%[us]", "t_max[us]", "Gb/s"));
        for (WorkTimes each : result.outcome().works()) {
            lines.line(
                    " %-14s %11s %11s %11s %11s %9s"
                            .formatted(
                                    each.name(),
                                    each.timesUs().size() + "/" + each.wanted(),
                                    number(each.percentile(50)),
                                    number(each.percentile(99)),
                                    number(each.percentile(100)),
                                    number(each.goodput())));
        }
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    private void checks() {
        if (result.checks().isEmpty()) {
            return;
        }
        lines.rule();
        for (Result.Checked each : result.checks()) {
            lines.wrapped(
                    each.holds() ? " holds   " : " FAILED  ",
                    each.check().text()
                            + (each.holds() ? " (" : ": it is ")
                            + each.found()
                            + (each.holds() ? ")" : ""));
        }
    }

    private void foot(Provenance from) {
        lines.rule();
        String commit = from.commit().isEmpty() ? "" : ", commit " + from.commit();
        lines.wrapped(" ", "again: " + from.command() + " (" + from.version() + commit + ")");
    }
}
