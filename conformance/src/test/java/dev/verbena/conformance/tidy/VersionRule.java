package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `version`: the places that name Verbena's version, and that Maven does not compare, name the one
/// of the root's pom.
final class VersionRule implements Rule {
    private static final String RULE = "version";
    private static final String ROOT = "pom.xml";
    private static final Pattern OF_THE_ROOT = Pattern.compile("(?m)^  <version>([^<]+)</version>");
    private static final Map<String, Pattern> PLACES =
            new TreeMap<>(
                    Map.of(
                            "bom/pom.xml",
                            OF_THE_ROOT,
                            "examples/replicated-log/pom.xml",
                            Pattern.compile("<verbena\\.version>([^<]+)<"),
                            "cli/src/main/java/dev/verbena/cli/Main.java",
                            Pattern.compile("VERSION = \"verbena ([^\"]+)\""),
                            "README.md",
                            Pattern.compile("verbena-bom</artifactId>\\s*<version>([^<]+)<"),
                            "docs/testing.md",
                            Pattern.compile("verbena-bom:([^\"]+)\"")));

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        Optional<String> version =
                tree.file(ROOT)
                        .map(root -> OF_THE_ROOT.matcher(root.text()))
                        .filter(Matcher::find)
                        .map(found -> found.group(1));
        if (version.isPresent()) {
            PLACES.forEach(
                    (path, pattern) ->
                            tree.file(path)
                                    .flatMap(file -> check(file, pattern, version.get()))
                                    .ifPresent(findings::add));
        }
        return findings;
    }

    private static Optional<Finding> check(SourceFile file, Pattern pattern, String version) {
        Matcher found = pattern.matcher(file.text());
        if (!found.find()) {
            return Optional.of(
                    Finding.inFile(
                            file.path(),
                            1,
                            RULE,
                            "names no version: name it, or change this rule"));
        }
        if (found.group(1).equals(version)) {
            return Optional.empty();
        }
        int line = (int) file.text().substring(0, found.start(1)).lines().count();
        return Optional.of(
                Finding.inFile(
                        file.path(),
                        line,
                        RULE,
                        found.group(1) + ", and " + ROOT + " has " + version + ": write that"));
    }
}
