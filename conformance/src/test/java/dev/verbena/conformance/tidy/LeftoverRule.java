package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// `leftover`: no notes to self, no authors, no stray white space.
final class LeftoverRule implements Rule {
    private static final String RULE = "leftover";
    // Spelled apart, or this file would trip over itself.
    private static final Pattern MARKER =
            Pattern.compile(
                    "\\b(" + String.join("|", "TO" + "DO", "FIX" + "ME", "X{3}") + "|HA[C]K)\\b");
    private static final String AUTHOR = "@" + "author";

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        for (SourceFile file : tree.textFiles()) {
            List<String> lines = file.lines();
            for (int i = 0; i < lines.size(); i++) {
                int number = i + 1;
                complaint(file, lines.get(i))
                        .map(message -> Finding.inFile(file.path(), number, RULE, message))
                        .ifPresent(findings::add);
            }
            if (!file.text().isEmpty() && !endsInOneNewline(file.text())) {
                findings.add(
                        Finding.inFile(
                                file.path(), lines.size(), RULE, "end the file in one newline"));
            }
        }
        return findings;
    }

    private static Optional<String> complaint(SourceFile file, String line) {
        if (MARKER.matcher(line).find()) {
            return Optional.of("a marker of unfinished work: finish it, or open an issue");
        }
        if (file.isJava() && line.contains(AUTHOR)) {
            return Optional.of("an author tag: git knows who wrote it, remove it");
        }
        if (file.isJava() && line.indexOf('\t') >= 0) {
            return Optional.of("a tab: indent with spaces");
        }
        if (!line.equals(line.stripTrailing())) {
            return Optional.of("white space at the end of the line: remove it");
        }
        return Optional.empty();
    }

    private static boolean endsInOneNewline(String text) {
        return text.endsWith("\n") && !text.endsWith("\n\n") && !text.endsWith("\n\r\n");
    }
}
