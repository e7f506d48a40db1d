package dev.verbena.cli.doctor;

import dev.verbena.cli.finding.FindingStyle;
import dev.verbena.lint.Severity;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/// Findings for a person: by area, the worst word first, and a sum at the end.
final class DoctorText {
    private static final String INDENT = " ".repeat(18);

    private final PrintWriter out;
    private final FindingStyle style;

    DoctorText(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.style = new FindingStyle(ansi);
    }

    void print(List<Finding> findings) {
        for (Area area : Area.values()) {
            List<Finding> here = findings.stream().filter(it -> it.code().area() == area).toList();
            if (!here.isEmpty()) {
                out.print(style.styled("bold", area.title()) + "\n");
                here.forEach(this::print);
                out.print("\n");
            }
        }
        out.print(FindingStyle.sum(severity -> count(findings, severity)) + "\n");
    }

    private void print(Finding finding) {
        out.print("  " + style.word(finding.severity()) + "  ");
        out.print(finding.code() + "  " + finding.problem() + "\n");
        finding.evidence().forEach(line -> out.print(INDENT + style.styled("faint", line) + "\n"));
        if (!finding.remedy().isEmpty()) {
            out.print(INDENT + finding.remedy() + "\n");
        }
        if (!finding.command().isEmpty()) {
            out.print(INDENT + style.styled("cyan", "$ " + finding.command()) + "\n");
        }
    }

    /// All codes, for `--list`.
    void list() {
        for (Area area : Area.values()) {
            out.print(style.styled("bold", area.title()) + "\n");
            for (Code code : Code.values()) {
                if (code.area() == area) {
                    out.print("  " + style.word(code.severity()) + "  " + code + "  ");
                    out.print(code.meaning() + "\n");
                }
            }
            out.print("\n");
        }
    }

    static long count(List<Finding> findings, Severity severity) {
        return findings.stream().filter(finding -> finding.severity() == severity).count();
    }
}
