package dev.verbena.testkit.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// The results of a run as a table for the terminal and as a page for the documentation.
public final class PlantedReport {
    private final List<PlantedResult> results;

    public PlantedReport(List<PlantedResult> results) {
        this.results = List.copyOf(results);
    }

    public List<PlantedResult> survivors() {
        return results.stream().filter(result -> !result.caught()).toList();
    }

    /// A line for each bug and one for the sum.
    public String table() {
        int width = results.stream().mapToInt(r -> r.bug().name().length()).max().orElse(1);
        StringBuilder table = new StringBuilder();
        for (int i = 0; i < results.size(); i++) {
            PlantedResult result = results.get(i);
            table.append(
                    String.format(
                            Locale.ROOT,
                            "%3d  %-" + width + "s  %6d ms  %s\n",
                            i + 1,
                            result.bug().name(),
                            result.tookMs(),
                            result.fate()));
        }
        return table + sum() + "\n";
    }

    /// A page that holds no times, so that it changes only when the bugs or their catchers do.
    public String markdown(String title) {
        StringBuilder page = new StringBuilder();
        page.append("# ").append(title).append("\n\n").append(sum()).append("\n\n");
        page.append("| # | planted bug | file | caught by |\n|---|---|---|---|\n");
        for (int i = 0; i < results.size(); i++) {
            PlantedResult result = results.get(i);
            page.append("| ").append(i + 1);
            page.append(" | ").append(cell(result.bug().name()));
            page.append(" | `").append(result.bug().file()).append('`');
            page.append(" | ").append(result.caught() ? cell(result.by()) : "**SURVIVED**");
            page.append(" |\n");
        }
        return page.toString();
    }

    public void writeMarkdown(String title, Path page) throws IOException {
        Files.createDirectories(page.toAbsolutePath().getParent());
        Files.writeString(page, markdown(title));
    }

    private String sum() {
        return String.format(
                Locale.ROOT,
                "%d of %d planted bugs were caught.",
                results.size() - survivors().size(),
                results.size());
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
