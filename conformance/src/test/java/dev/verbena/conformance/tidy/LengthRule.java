package dev.verbena.conformance.tidy;

import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Methods, files and lines that a reader can hold: `method-length`, `file-length`, `line-length`.
final class LengthRule implements Rule {
    static final int METHOD_LINES_MAX = 70;
    static final int FILE_LINES_MAX = 600;
    static final int LINE_COLUMNS_MAX = 100;

    // An address in a comment and an import cannot be broken.
    private static final Pattern UNBREAKABLE =
            Pattern.compile("import .*|\\s*(//|/?\\*).*https?://.*|.*\\s//.*https?://.*");

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        for (JavaFile file : tree.java()) {
            lines(file, findings);
            methods(file, findings);
        }
        return findings;
    }

    private static void lines(JavaFile file, List<Finding> findings) {
        List<String> lines = file.source().lines();
        if (lines.size() > FILE_LINES_MAX) {
            findings.add(
                    Finding.inFile(
                            file.path(),
                            FILE_LINES_MAX + 1,
                            "file-length",
                            lines.size()
                                    + " lines, at most "
                                    + FILE_LINES_MAX
                                    + ": move a concern to a file of its own"));
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int columns = line.codePointCount(0, line.length());
            if (columns > LINE_COLUMNS_MAX && !UNBREAKABLE.matcher(line).matches()) {
                findings.add(
                        Finding.inFile(
                                file.path(),
                                i + 1,
                                "line-length",
                                columns + " columns, at most " + LINE_COLUMNS_MAX + ": break it"));
            }
        }
    }

    private static void methods(JavaFile file, List<Finding> findings) {
        new TreePathScanner<Void, List<Finding>>() {
            @Override
            public Void visitMethod(MethodTree method, List<Finding> found) {
                int lines = file.lastLine(method) - file.line(method) + 1;
                if (lines > METHOD_LINES_MAX) {
                    found.add(
                            file.finding(
                                    getCurrentPath(),
                                    "method-length",
                                    method.getName()
                                            + " has "
                                            + lines
                                            + " lines, at most "
                                            + METHOD_LINES_MAX
                                            + ": give its parts names of their own"));
                }
                return super.visitMethod(method, found);
            }
        }.scan(file.unit(), findings);
    }
}
