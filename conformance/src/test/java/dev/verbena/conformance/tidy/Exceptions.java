package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The named exceptions to the rules, each with a reason; one that covers nothing is a finding.
final class Exceptions {
    static final String PATH = "conformance/src/test/resources/tidy-exceptions.txt";

    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(\\S+)(?:\\s+(\\S.*))?");

    private record Entry(int line, String rule, String subject) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<Finding> refused = new ArrayList<>();

    private Exceptions() {}

    /// Reads lines of `rule path-or-path#method reason`; `#` begins a comment.
    static Exceptions of(SourceTree tree) {
        Exceptions exceptions = new Exceptions();
        List<String> lines = tree.file(PATH).map(SourceFile::lines).orElse(List.of());
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                exceptions.add(i + 1, line);
            }
        }
        return exceptions;
    }

    private void add(int number, String line) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches() && matcher.group(3) != null) {
            entries.add(new Entry(number, matcher.group(1), matcher.group(2)));
        } else {
            refused.add(
                    Finding.inFile(
                            PATH,
                            number,
                            "unexplained-exception",
                            "write: rule path-or-path#method  reason"));
        }
    }

    /// What remains of the findings, and what is wrong with the exceptions themselves.
    List<Finding> applyTo(List<Finding> findings) {
        List<Finding> remaining = new ArrayList<>(findings);
        List<Finding> stale = new ArrayList<>();
        for (Entry entry : entries) {
            if (findings.stream().noneMatch(finding -> covers(entry, finding))) {
                stale.add(
                        Finding.inFile(
                                PATH,
                                entry.line(),
                                "stale-exception",
                                entry.rule()
                                        + " finds nothing at "
                                        + entry.subject()
                                        + ": remove the line"));
            }
            remaining.removeIf(finding -> covers(entry, finding));
        }
        remaining.addAll(refused);
        remaining.addAll(stale);
        return List.copyOf(remaining);
    }

    private static boolean covers(Entry entry, Finding finding) {
        return entry.rule().equals(finding.rule()) && finding.isAbout(entry.subject());
    }
}
