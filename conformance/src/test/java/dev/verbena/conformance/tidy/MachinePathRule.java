package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `machine-path`: nothing in the tree depends on where one machine keeps its files.
///
/// A shell script of the laboratories or of CI may name the temporary directory as the fallback of
/// `TMPDIR` or in a call of `mktemp`.
final class MachinePathRule implements Rule {
    // A path begins where no name, variable or host stands before the slash. The parts stand apart
    // so that this file does not name such a path itself.
    private static final Pattern MACHINE_PATH =
            Pattern.compile(
                    "(?<![\\w.})~*])/(?:"
                            + String.join(
                                    "|",
                                    "(?:work|root|tmp)(?![\\w-])",
                                    "(?:home|Users)/\\w+",
                                    "usr/lib/jvm")
                            + ")[\\w./-]*"
                            + "|\\b[A-Z]:\\\\{1,2}Users\\b");

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        for (SourceFile file : tree.textFiles()) {
            List<String> lines = file.lines();
            for (int i = 0; i < lines.size(); i++) {
                Matcher matcher = MACHINE_PATH.matcher(lines.get(i));
                while (matcher.find()) {
                    if (!isTemporaryOfScript(file, lines.get(i), matcher.group())) {
                        findings.add(
                                Finding.inFile(
                                        file.path(),
                                        i + 1,
                                        "machine-path",
                                        matcher.group()
                                                + " is a path of one machine: make it relative, a"
                                                + " property or a temporary directory"));
                    }
                }
            }
        }
        return findings;
    }

    private static boolean isTemporaryOfScript(SourceFile file, String line, String path) {
        boolean script = file.path().endsWith(".sh") || file.text().startsWith("#!");
        boolean place = file.path().startsWith(".ci/") || file.path().startsWith("interop/");
        return script
                && place
                && path.startsWith("/" + "tmp")
                && (line.contains("mktemp") || line.contains("${TMPDIR:-"));
    }
}
