package dev.verbena.scenario.report;

import dev.verbena.scenario.run.Result;

/// A result in the XML of JUnit, which CI servers show: a test for each thing that must hold.
public final class JUnitXml {
    private JUnitXml() {}

    /// The whole document.
    public static String of(Result result, Provenance from) {
        StringBuilder cases = new StringBuilder();
        int failures = 0;
        String suite = result.outcome().scenario().title();
        for (Result.Checked each : result.checks()) {
            String message = "it is " + each.found() + "; seed " + seed(result);
            cases.append(one(from.file(), each.check().text(), each.holds() ? "" : message));
            failures += each.holds() ? 0 : 1;
        }
        if (result.checks().isEmpty() || result.outcome().isPartial()) {
            boolean isGood = result.isGood();
            cases.append(
                    one(
                            from.file(),
                            "it comes to its end",
                            isGood ? "" : result.finding().headline()));
            failures += isGood ? 0 : 1;
        }
        int tests = cases.toString().split("<testcase ", -1).length - 1;
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="%s" tests="%d" failures="%d" errors="0" skipped="0">
        %s  <system-out>%s</system-out>
        </testsuite>
        """
                .formatted(
                        escaped(suite),
                        tests,
                        failures,
                        cases,
                        escaped(result.finding().headline() + "\nagain: " + from.command()));
    }

    private static long seed(Result result) {
        return result.outcome().scenario().seed();
    }

    private static String one(String file, String name, String failure) {
        String start =
                "  <testcase classname=\"%s\" name=\"%s\"".formatted(escaped(file), escaped(name));
        return failure.isEmpty()
                ? start + "/>\n"
                : start
                        + ">\n    <failure message=\"%s\"/>\n  </testcase>\n"
                                .formatted(escaped(failure));
    }

    /// XML 1.0 has no control characters, not even escaped.
    private static String escaped(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]|[\\uFFFE\\uFFFF]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("\n", "&#10;");
    }
}
