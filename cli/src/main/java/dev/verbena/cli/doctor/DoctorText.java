package dev.verbena.cli.doctor;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/// Findings for a person: by area, the worst word first, and a sum at the end.
final class DoctorText {
    private static final String INDENT = " ".repeat(18);

    private final PrintWriter out;
    private final Ansi ansi;

    DoctorText(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.ansi = ansi;
    }

    void print(List<Finding> findings) {
        for (Area area : Area.values()) {
            List<Finding> here = findings.stream().filter(it -> it.code().area() == area).toList();
            if (!here.isEmpty()) {
                out.print(styled("bold", area.title()) + "\n");
                here.forEach(this::print);
                out.print("\n");
            }
        }
        out.print(sum(findings) + "\n");
    }

    private void print(Finding finding) {
        String word = "%-7s".formatted(finding.severity().word());
        out.print("  " + styled(colour(finding.severity()), word) + "  ");
        out.print(finding.code() + "  " + finding.problem() + "\n");
        finding.evidence().forEach(line -> out.print(INDENT + styled("faint", line) + "\n"));
        if (!finding.remedy().isEmpty()) {
            out.print(INDENT + finding.remedy() + "\n");
        }
        if (!finding.command().isEmpty()) {
            out.print(INDENT + styled("cyan", "$ " + finding.command()) + "\n");
        }
    }

    /// All codes, for `--list`.
    void list() {
        for (Area area : Area.values()) {
            out.print(styled("bold", area.title()) + "\n");
            for (Code code : Code.values()) {
                if (code.area() == area) {
                    String word = "%-7s".formatted(code.severity().word());
                    out.print("  " + styled(colour(code.severity()), word) + "  " + code + "  ");
                    out.print(code.meaning() + "\n");
                }
            }
            out.print("\n");
        }
    }

    static String sum(List<Finding> findings) {
        long errors = count(findings, Severity.ERROR);
        long warnings = count(findings, Severity.WARNING);
        long notes = count(findings, Severity.NOTE);
        List<String> parts = new ArrayList<>();
        if (errors + warnings == 0) {
            parts.add("nothing to complain of");
        } else {
            parts.add(Severity.ERROR.counted(errors));
            parts.add(Severity.WARNING.counted(warnings));
        }
        Stream.of(notes).filter(some -> some > 0).map(Severity.NOTE::counted).forEach(parts::add);
        return String.join(", ", parts);
    }

    static long count(List<Finding> findings, Severity severity) {
        return findings.stream().filter(finding -> finding.severity() == severity).count();
    }

    private static String colour(Severity severity) {
        return switch (severity) {
            case ERROR -> "bold,red";
            case WARNING -> "bold,yellow";
            case NOTE -> "green";
        };
    }

    private String styled(String style, String text) {
        // Not through picocli's markup: what was read from a file could be taken for it. And ended
        // by a reset: to many terminals what ends bold type is a double underline.
        if (!ansi.enabled()) {
            return text;
        }
        Ansi.IStyle[] styles = Ansi.Style.parse(style.toLowerCase(Locale.ROOT));
        return Ansi.Style.on(styles) + text + Ansi.Style.reset.on();
    }
}
