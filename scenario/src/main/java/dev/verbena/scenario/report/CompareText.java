package dev.verbena.scenario.report;

import dev.verbena.scenario.compare.Comparison;
import dev.verbena.scenario.read.Setting;
import dev.verbena.scenario.run.Finding;
import dev.verbena.scenario.run.Result;
import java.util.List;

/// A comparison in lines of 80 columns: first why the two differ, then what was set and counted.
public final class CompareText {
    private static final int SETTING = 34;
    private static final int VALUE = 20;
    private static final int METRIC = 26;

    private CompareText() {}

    /// All lines.
    public static String of(Comparison both, Provenance a, Provenance b) {
        Lines lines = new Lines();
        lines.wrapped("", both.headline());
        both.reasons().forEach(it -> lines.wrapped("  ", it));
        lines.rule();
        side(lines, "A ", both.a(), a);
        side(lines, "B ", both.b(), b);
        lines.rule();
        settings(lines, both.settings());
        lines.line(" %-26s %17s %17s %15s".formatted("", "A", "B", "B/A"));
        for (Figures each : Figures.of(both)) {
            lines.line(
                    " %-26s %17s %17s %15s"
                            .formatted(
                                    Lines.cut(each.metric(), METRIC),
                                    each.a(),
                                    each.b(),
                                    each.factor()));
        }
        lines.rule();
        failed(lines, both.a());
        failed(lines, both.b());
        return lines.toString();
    }

    private static void side(Lines lines, String letter, Comparison.Side side, Provenance from) {
        var scenario = side.result().outcome().scenario();
        lines.wrapped(letter, side.label() + ": " + scenario.title() + " (" + from.file() + ")");
        lines.wrapped("  ", scenario.network().topology().toString());
        lines.wrapped("  ", scenario.network().text() + ", seed " + scenario.seed());
        Finding finding = side.result().finding();
        lines.wrapped("  ", finding.headline());
        if (side.result().baseline().isPresent()) {
            finding.details().forEach(it -> lines.wrapped("    ", it));
        }
        if (!finding.remedy().isEmpty()) {
            lines.wrapped("  Try: ", finding.remedy());
        }
    }

    private static void settings(Lines lines, List<Setting> settings) {
        if (settings.isEmpty()) {
            lines.line(" the two files set the same");
        }
        for (Setting each : settings) {
            lines.line(
                    " %-34s %20s %22s"
                            .formatted(
                                    Lines.cut(each.path(), SETTING),
                                    Lines.cut(each.a().isEmpty() ? "-" : each.a(), VALUE),
                                    Lines.cut(each.b().isEmpty() ? "-" : each.b(), VALUE)));
        }
        lines.rule();
    }

    private static void failed(Lines lines, Comparison.Side side) {
        for (Result.Checked each : side.result().checks()) {
            if (!each.holds()) {
                lines.wrapped(
                        " FAILED  ",
                        side.label() + ": " + each.check().text() + ": it is " + each.found());
            }
        }
    }
}
