package dev.verbena.cli.plan;

import dev.verbena.cli.plan.Section.Note;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// A report for a terminal of 80 columns.
final class PlanText {
    private static final int WIDTH = 80;
    private static final int LABEL = 29;
    private static final int INDENT = 3;
    private static final int HEAD = 18;

    private final PrintWriter out;

    PlanText(PrintWriter out) {
        this.out = out;
    }

    void print(PlanReport report) {
        wrapped(report.head(), 1, 1);
        List<String> titles = report.titles();
        for (Section section : report.sections()) {
            out.print("\n");
            if (section.rows().isEmpty()) {
                out.print(" " + section.title() + "\n");
            } else {
                line(section.title(), titles);
            }
            for (Row row : section.rows()) {
                row(row);
            }
            notes(section, report);
        }
    }

    private void line(String label, List<String> cells) {
        StringBuilder line = new StringBuilder(" %-29s".formatted(label));
        int column = (WIDTH - LABEL - 1) / Math.max(1, cells.size());
        for (String cell : cells) {
            line.append(("%-" + column + "s").formatted(cell));
        }
        out.print(line.toString().stripTrailing() + "\n");
    }

    /// A row, whose cells take several lines where they are longer than their column.
    private void row(Row row) {
        int column = (WIDTH - LABEL - 1) / row.cells().size();
        List<List<String>> cells =
                row.cells().stream().map(cell -> lines(cell.text(), column - 1)).toList();
        int most = cells.stream().mapToInt(List::size).max().orElse(1);
        for (int i = 0; i < most; i++) {
            int at = i;
            line(
                    i == 0 ? "  " + row.label() : "",
                    cells.stream().map(it -> at < it.size() ? it.get(at) : "").toList());
        }
    }

    private void notes(Section section, PlanReport report) {
        String before = "";
        for (Note note : section.notes()) {
            if (section.key().equals("demands") && !note.network().equals(before)) {
                before = note.network();
                int at = report.networks().indexOf(before);
                out.print("  " + report.titles().get(at) + "\n");
            }
            if (note.head().isEmpty()) {
                wrapped(note.text(), INDENT, INDENT);
            } else {
                String head = note.head() + ":";
                int indent = Math.max(INDENT + HEAD, INDENT + head.length() + 1);
                List<String> lines = lines(note.text(), WIDTH - INDENT - HEAD);
                boolean isLong = indent > INDENT + HEAD;
                out.print(" ".repeat(INDENT) + head);
                out.print(
                        isLong
                                ? "\n"
                                : " ".repeat(HEAD - head.length()) + lines.removeFirst() + "\n");
                lines.forEach(it -> out.print(" ".repeat(INDENT + HEAD) + it + "\n"));
            }
        }
    }

    private void wrapped(String text, int first, int rest) {
        List<String> lines = lines(text, WIDTH - rest);
        for (int i = 0; i < lines.size(); i++) {
            out.print(" ".repeat(i == 0 ? first : rest) + lines.get(i) + "\n");
        }
    }

    /// Words in lines of a width; a longer word has a line of its own.
    private static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
