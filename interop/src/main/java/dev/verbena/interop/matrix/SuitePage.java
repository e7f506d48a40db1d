package dev.verbena.interop.matrix;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Turns the results of `interop/rxe/ibverbs` into a section of `docs/interop.md`. Figures that
/// change from run to run are left out, as in [InteropPage]; those of the loops are counted.
final class SuitePage {
    private static final String GREEN = "green";
    private static final String SKIPPED = "skipped";
    private static final List<String> PROGRAMS = List.of("program", "loop", "leak", "hostile");

    private final List<KernelResults> kernels;

    private SuitePage(List<KernelResults> kernels) {
        this.kernels = kernels;
    }

    static String markdown(List<KernelResults> kernels) {
        return new SuitePage(kernels).section();
    }

    private String section() {
        StringBuilder page = new StringBuilder("## The verbs suite on the kernel's device\n\n");
        page.append(
                """
                `interop/rxe/ibverbs` runs Verbena in the virtual machine, over libibverbs on the
                device rxe0: the suite that every provider passes, its tests counted by subject,
                then programs.

                """);
        page.append("| subject |");
        kernels.forEach(
                it -> page.append(" Linux %s: green | red | skipped |".formatted(it.name())));
        page.append("\n|---|").append("--:|--:|--:|".repeat(kernels.size())).append('\n');
        for (String subject : names(SuitePage::subject)) {
            page.append("| ").append(subject).append(" |");
            kernels.forEach(it -> counts(page, tests(it, SuitePage::subject, subject)));
            page.append('\n');
        }
        page.append("| all |");
        kernels.forEach(it -> counts(page, it.suite().of("test")));
        page.append('\n');
        reasons(page, SKIPPED, "why tests are skipped");
        reasons(page, "red", "why tests are red");
        page.append('\n');
        InteropPage.programs(page, kernels, KernelResults::suite, PROGRAMS);
        return page.toString();
    }

    /// The values of a property of the tests of all kernels, sorted.
    private SortedSet<String> names(Function<Map<String, String>, String> property) {
        return kernels.stream()
                .flatMap(it -> it.suite().of("test").stream())
                .map(property)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Map<String, String>> tests(
            KernelResults kernel, Function<Map<String, String>, String> property, String value) {
        return kernel.suite().of("test").stream()
                .filter(it -> property.apply(it).equals(value))
                .toList();
    }

    private static void counts(StringBuilder page, List<Map<String, String>> tests) {
        long green = count(tests, GREEN);
        long skipped = count(tests, SKIPPED);
        page.append(" %d | %d | %d |".formatted(green, tests.size() - green - skipped, skipped));
    }

    private static long count(List<Map<String, String>> tests, String outcome) {
        return tests.stream().filter(it -> outcome.equals(it.get("outcome"))).count();
    }

    private void reasons(StringBuilder page, String outcome, String title) {
        Function<Map<String, String>, String> property =
                it -> outcome.equals(it.get("outcome")) ? why(it, outcome) : "";
        SortedSet<String> reasons = names(property);
        reasons.remove("");
        if (reasons.isEmpty()) {
            return;
        }
        page.append("\n| ").append(title).append(" |");
        kernels.forEach(it -> page.append(" Linux %s |".formatted(it.name())));
        page.append("\n|---|").append("--:|".repeat(kernels.size())).append('\n');
        for (String reason : reasons) {
            page.append("| ").append(reason).append(" |");
            kernels.forEach(
                    it -> page.append(" %d |".formatted(tests(it, property, reason).size())));
            page.append('\n');
        }
    }

    private static String subject(Map<String, String> test) {
        return text(test, "subject").replace("Conformance", "");
    }

    private static String why(Map<String, String> test, String outcome) {
        return outcome.equals(SKIPPED)
                ? reason(test)
                : "%s: %s".formatted(text(test, "name"), reason(test));
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
