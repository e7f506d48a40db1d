package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `index`: each page of `docs` stands on one shelf of `docs/README.md`, and only on one.
final class IndexRule implements Rule {
    static final List<String> SHELVES = List.of("Start", "How-to", "Reference", "Evidence");

    private static final String INDEX = "docs/README.md";
    private static final Pattern HEADING = Pattern.compile("##\\s+(.*?)\\s*");
    private static final Pattern ROW = Pattern.compile("\\| *\\[[^\\]]*\\]\\(([^)#]+\\.md)\\).*");

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        Map<String, Integer> listed =
                tree.file(INDEX).map(index -> rows(index, findings)).orElse(Map.of());
        for (SourceFile file : tree.textFiles()) {
            if (isPage(file) && !listed.containsKey(file.path())) {
                findings.add(
                        Finding.inFile(
                                file.path(),
                                1,
                                "index",
                                "not in %s: add a row to one of its shelves, %s"
                                        .formatted(INDEX, String.join(", ", SHELVES))));
            }
        }
        return findings;
    }

    private static boolean isPage(SourceFile file) {
        return file.isMarkdown() && file.directory().equals("docs") && !file.path().equals(INDEX);
    }

    /// The pages that the shelves list, each with its line.
    private static Map<String, Integer> rows(SourceFile index, List<Finding> findings) {
        Map<String, Integer> rows = new LinkedHashMap<>();
        boolean shelf = false;
        for (int i = 0; i < index.lines().size(); i++) {
            String line = index.lines().get(i);
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                shelf = SHELVES.contains(heading.group(1));
            }
            Matcher row = ROW.matcher(line);
            if (shelf && row.matches()) {
                String page = "docs/" + row.group(1);
                if (rows.putIfAbsent(page, i + 1) != null) {
                    findings.add(
                            Finding.inFile(
                                    INDEX,
                                    i + 1,
                                    "index",
                                    "%s is already in line %d: keep one row"
                                            .formatted(page, rows.get(page))));
                }
            }
        }
        return rows;
    }
}
