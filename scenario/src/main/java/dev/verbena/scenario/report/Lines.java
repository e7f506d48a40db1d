package dev.verbena.scenario.report;

import java.util.ArrayList;
import java.util.List;

/// Lines of 80 columns.
final class Lines {
    private static final int COLUMNS = 80;
    private static final String RULE = "-".repeat(COLUMNS);

    private final StringBuilder text = new StringBuilder();

    void rule() {
        line(RULE);
    }

    void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }

    /// Breaks at blanks; further lines are indented by the first one's start.
    void wrapped(String start, String words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(start);
        String indent = " ".repeat(start.length());
        for (String word : words.split(" ", -1)) {
            boolean isEmpty = line.toString().isBlank() || line.length() == start.length();
            if (!isEmpty && line.length() + 1 + word.length() > COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                isEmpty = true;
            }
            line.append(isEmpty ? "" : " ").append(word);
        }
        lines.add(line.toString());
        lines.forEach(this::line);
    }

    /// A text that fits into so many columns, with an ellipsis where it was cut.
    static String cut(String text, int columns) {
        return text.length() <= columns ? text : text.substring(0, columns - 1) + "…";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
