package dev.verbena.interop.matrix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Turns the result of `interop/rxe/ibverbs`, or of the suite on a NIC, into a section of
/// `docs/interop.md`. Figures that change from run to run are left out, as in [InteropPage]; those
/// of the loops are counted.
final class SuitePage {
    private static final String GREEN = "green";
    private static final String SKIPPED = "skipped";

    private final ResultFile file;

    private SuitePage(Path file) {
        this.file = new ResultFile(file);
    }

    static String markdown(Path file) throws IOException {
        return new SuitePage(file).section();
    }

    private String section() throws IOException {
        Map<String, String> facts = file.facts();
        List<Map<String, String>> tests = file.lines("test");
        StringBuilder page = new StringBuilder("## The verbs suite on the kernel's device\n\n");
        page.append(
                """
                `interop/rxe/ibverbs` runs Verbena in the virtual machine, over libibverbs on the
                device %s of Linux %s: the suite that every provider passes, its tests counted by
                subject, then programs.

                """
                        .formatted(fact(facts, "device"), fact(facts, "kernel")));
        page.append("| subject | green | red | skipped |\n|---|--:|--:|--:|\n");
        bySubject(tests).forEach((subject, all) -> page.append(row(subject, all)));
        page.append(row("all", tests));
        skipped(page, tests);
        red(page, tests);
        others(page);
        return page.toString();
    }

    private static String fact(Map<String, String> facts, String name) {
        return facts.getOrDefault(name, "unknown");
    }

    private static Map<String, List<Map<String, String>>> bySubject(
            List<Map<String, String>> tests) {
        return tests.stream()
                .collect(
                        Collectors.groupingBy(
                                it -> text(it, "subject").replace("Conformance", ""),
                                TreeMap::new,
                                Collectors.toList()));
    }

    private static String row(String subject, List<Map<String, String>> tests) {
        long green = count(tests, GREEN);
        long skipped = count(tests, SKIPPED);
        return "| %s | %d | %d | %d |\n"
                .formatted(subject, green, tests.size() - green - skipped, skipped);
    }

    private static long count(List<Map<String, String>> tests, String outcome) {
        return tests.stream().filter(it -> outcome.equals(it.get("outcome"))).count();
    }

    private static void skipped(StringBuilder page, List<Map<String, String>> tests) {
        Map<String, Long> reasons =
                tests.stream()
                        .filter(it -> SKIPPED.equals(it.get("outcome")))
                        .collect(
                                Collectors.groupingBy(
                                        SuitePage::reason, TreeMap::new, Collectors.counting()));
        if (!reasons.isEmpty()) {
            page.append("\n| why tests are skipped | tests |\n|---|--:|\n");
            reasons.forEach((reason, many) -> page.append("| %s | %d |\n".formatted(reason, many)));
        }
    }

    private static void red(StringBuilder page, List<Map<String, String>> tests) {
        List<Map<String, String>> red =
                tests.stream().filter(it -> "red".equals(it.get("outcome"))).toList();
        if (!red.isEmpty()) {
            page.append("\n| red test | reason |\n|---|---|\n");
        }
        for (Map<String, String> it : red) {
            page.append("| %s | %s |\n".formatted(text(it, "name"), reason(it)));
        }
    }

    private void others(StringBuilder page) throws IOException {
        page.append("\n| what | outcome |\n|---|---|\n");
        for (String kind : List.of("program", "loop", "leak")) {
            for (Map<String, String> it : file.lines(kind)) {
                page.append("| %s | %s |\n".formatted(text(it, "name"), text(it, "outcome")));
            }
        }
    }

    /// Without the names of exceptions, which tell a reader nothing, and fit for a table.
    private static String reason(Map<String, String> test) {
        return text(test, "reason")
                .replaceFirst("^\\w+(Exception|Error): ", "")
                .replaceFirst("^Assumption failed: ", "")
                .replaceFirst(" \\(\\w+\\.java:\\d+\\)$", "")
                .replaceAll("\\s+", " ")
                .replace("|", "\\|");
    }

    private static String text(Map<String, String> fields, String name) {
        return fields.getOrDefault(name, "");
    }
}
