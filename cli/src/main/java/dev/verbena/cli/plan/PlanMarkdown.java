package dev.verbena.cli.plan;

import dev.verbena.cli.plan.Section.Note;
import java.io.PrintWriter;
import java.util.List;

/// A report as markdown, with a table for each section.
final class PlanMarkdown {
    private final PrintWriter out;

    PlanMarkdown(PrintWriter out) {
        this.out = out;
    }

    void print(PlanReport report) {
        out.print("# " + escaped(report.head()) + "\n");
        for (Section section : report.sections()) {
            out.print("\n## " + section.title() + "\n\n");
            if (!section.rows().isEmpty()) {
                cells("", report.titles());
                out.print("|---" + "|---".repeat(report.titles().size()) + "|\n");
                for (Row row : section.rows()) {
                    cells(row.label().strip(), row.cells().stream().map(Cell::text).toList());
                }
            }
            for (Note note : section.notes()) {
                String network = title(report, note.network());
                boolean said = note.text().startsWith(network) || note.head().contains(network);
                String head = said ? note.head() : network + " " + note.head();
                out.print("- " + (head.isBlank() ? "" : "**" + escaped(head.strip()) + "**: "));
                out.print(escaped(note.text()) + "\n");
            }
        }
    }

    private static String title(PlanReport report, String network) {
        int at = report.networks().indexOf(network);
        return at < 0 ? "" : report.titles().get(at);
    }

    private void cells(String label, List<String> cells) {
        out.print("| " + escaped(label) + " |");
        cells.forEach(it -> out.print(" " + escaped(it) + " |"));
        out.print("\n");
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[");
    }
}
