package dev.verbena.cli.lint;

import dev.verbena.cli.finding.FindingStyle;
import dev.verbena.lint.Area;
import dev.verbena.lint.Code;
import dev.verbena.lint.Finding;
import dev.verbena.lint.Report;
import dev.verbena.lint.Unjudged;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// A report for a person, in 80 columns: findings by area, questions that were not judged, the sum.
final class LintText {
    private static final int COLUMNS = 80;
    private static final String INDENT = " ".repeat(18);
    private static final String STEP = "  ";

    private final PrintWriter out;
    private final FindingStyle style;

    LintText(PrintWriter out, FindingStyle style) {
        this.out = out;
        this.style = style;
    }

    void print(Report report, int files) {
        for (Area area : Area.values()) {
            List<Finding> here =
                    report.findings().stream().filter(it -> it.code().area() == area).toList();
            if (!here.isEmpty()) {
                out.print(style.styled("bold", area.title()) + "\n");
                here.forEach(this::print);
                out.print("\n");
            }
        }
        if (!report.unjudged().isEmpty()) {
            out.print(style.styled("bold", "not judged") + "\n");
            report.unjudged().forEach(this::print);
            out.print("\n");
        }
        if (report.leftOut() > 0) {
            out.print("%,d more findings are not shown%n".formatted(report.leftOut()));
        }
        out.print(
                "%d %s: %s\n"
                        .formatted(
                                files,
                                files == 1 ? "file" : "files",
                                FindingStyle.sum(report::count)));
    }

    private void print(Finding finding) {
        List<String> problem = wrapped(finding.problem(), COLUMNS - INDENT.length());
        out.print(STEP + style.word(finding.severity()) + STEP + finding.code() + STEP);
        out.print(String.join("\n" + INDENT, problem) + "\n");
        finding.evidence().forEach(line -> lines("faint", line));
        lines("", finding.remedy());
    }

    private void print(Unjudged question) {
        List<String> lines =
                wrapped(question.place() + ": " + question.question(), COLUMNS - STEP.length());
        out.print(STEP + String.join("\n" + STEP + STEP, lines) + "\n");
        for (String line : wrapped("needs " + question.missing(), COLUMNS - 2 * STEP.length())) {
            out.print(STEP + STEP + line + "\n");
        }
    }

    private void lines(String kind, String text) {
        for (String line : wrapped(text, COLUMNS - INDENT.length())) {
            out.print(INDENT + (kind.isEmpty() ? line : style.styled(kind, line)) + "\n");
        }
    }

    /// Lines of at most so many characters, broken between words, or within one that is longer.
    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
            while (line.length() > width) {
                lines.add(line.substring(0, width));
                line.delete(0, width);
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /// Why a code matters, by paragraphs.
    void explain(Code code) {
        out.print(style.word(code.severity()) + STEP + code + "\n");
        String[] paragraphs = code.explanation().split("\n\n", -1);
        for (int i = 1; i < paragraphs.length; i++) {
            String text = paragraphs[i].strip().replace('\n', ' ');
            out.print("\n" + String.join("\n", wrapped(text, COLUMNS)) + "\n");
        }
    }

    /// All codes, for `--list`.
    void list() {
        for (Area area : Area.values()) {
            out.print(style.styled("bold", area.title()) + "\n");
            for (Code code : Code.values()) {
                if (code.area() == area) {
                    out.print(STEP + style.word(code.severity()) + STEP + code + STEP);
                    out.print(
                            String.join(
                                            "\n" + INDENT,
                                            wrapped(code.meaning(), COLUMNS - INDENT.length()))
                                    + "\n");
                }
            }
            out.print("\n");
        }
    }
}
