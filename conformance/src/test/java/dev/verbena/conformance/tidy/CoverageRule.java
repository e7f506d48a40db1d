package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `coverage`: every row of `docs/coverage.md` has a known state, and names the test or command
/// that shows it, which must exist; every statement has a row.
final class CoverageRule implements Rule {
    static final String PAGE = "docs/coverage.md";

    /// The statements of the page, numbered from 1.
    static final int STATEMENTS = 43;

    private static final Set<String> SHOWN = Set.of("live", "simulated", "bytes only");
    private static final Set<String> NOT_SHOWN = Set.of("planned", "left out");
    private static final String STATES = "live, simulated, bytes only, planned, left out";

    private static final int COLUMNS = 5;
    private static final Pattern ROW = Pattern.compile("\\| *([0-9]+) *\\|.*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TEST = Pattern.compile("[A-Z][A-Za-z0-9]*Test");
    private static final Pattern SCRIPT = Pattern.compile("((?:bin|interop)/[^ ]+)(?: .*)?");
    private static final Pattern COMMAND = Pattern.compile("(?:bin/)?verbena ([a-z]+)(?: .*)?");
    private static final Pattern SUBCOMMAND = Pattern.compile("\\bname = \"([a-z]+)\"");

    /// A row of the table: part, state, shown by, note.
    private record Row(int line, int number, List<String> cells) {

        String state() {
            return cells.get(2).replace("**", "");
        }

        String shownBy() {
            return cells.get(3);
        }

        String note() {
            return cells.get(4);
        }

        Finding finding(String message) {
            return Finding.inFile(PAGE, line, "coverage", "row " + number + ": " + message);
        }
    }

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        if (tree.file(PAGE).isEmpty()) {
            return findings; // a tree made for another rule
        }
        Set<String> tests = tests(tree);
        Set<String> subcommands = subcommands(tree);
        int last = 0;
        for (Row row : rows(tree.file(PAGE).get())) {
            if (row.number() != last && row.number() != last + 1) {
                findings.add(
                        row.finding(
                                "follows row %d: give every statement a row, in order"
                                        .formatted(last)));
            }
            last = row.number();
            check(row, findings);
            if (row.cells().size() == COLUMNS) {
                names(row).stream()
                        .filter(name -> !exists(name, tree, tests, subcommands))
                        .forEach(name -> findings.add(row.finding(missing(name))));
            }
        }
        if (last != STATEMENTS) {
            findings.add(
                    Finding.inFile(
                            PAGE,
                            1,
                            "coverage",
                            "ends with row %d of %d: add the rest".formatted(last, STATEMENTS)));
        }
        return findings;
    }

    private static void check(Row row, List<Finding> findings) {
        if (row.cells().size() != COLUMNS) {
            findings.add(
                    row.finding(
                            "has %d cells: write number, part, state, shown by, note"
                                    .formatted(row.cells().size())));
            return;
        }
        boolean isShown = SHOWN.contains(row.state());
        if (!isShown && !NOT_SHOWN.contains(row.state())) {
            findings.add(
                    row.finding("state '" + row.state() + "' is unknown: use one of " + STATES));
        } else if (isShown && names(row).isEmpty()) {
            findings.add(
                    row.finding(
                            "is "
                                    + row.state()
                                    + " and names no test or command: name one in backquotes, or"
                                    + " call it planned"));
        } else if (!isShown && !names(row).isEmpty()) {
            findings.add(
                    row.finding(
                            "is "
                                    + row.state()
                                    + " and names a test or command: give it the state that this"
                                    + " shows"));
        } else if (row.state().equals("left out") && row.note().isEmpty()) {
            findings.add(row.finding("is left out without a reason: write it in the last cell"));
        }
    }

    private static boolean exists(
            String name, SourceTree tree, Set<String> tests, Set<String> subcommands) {
        Matcher command = COMMAND.matcher(name);
        if (command.matches()) {
            return subcommands.contains(command.group(1));
        }
        Matcher script = SCRIPT.matcher(name);
        return script.matches() ? tree.file(script.group(1)).isPresent() : tests.contains(name);
    }

    private static String missing(String name) {
        return "names "
                + name
                + ", which is no test class (…Test), no script of bin/ or interop/ and no"
                + " subcommand of verbena: write its new name, or name what shows this row now";
    }

    private static List<Row> rows(SourceFile page) {
        List<Row> rows = new ArrayList<>();
        List<String> lines = page.lines();
        for (int i = 0; i < lines.size(); i++) {
            Matcher matcher = ROW.matcher(lines.get(i));
            if (matcher.matches()) {
                List<String> cells = new ArrayList<>();
                String inner = lines.get(i).strip().replaceAll("^\\||\\|$", "");
                for (String cell : inner.split("\\|", -1)) {
                    cells.add(cell.strip());
                }
                rows.add(new Row(i + 1, Integer.parseInt(matcher.group(1)), cells));
            }
        }
        return rows;
    }

    private static List<String> names(Row row) {
        return CODE.matcher(row.shownBy()).results().map(found -> found.group(1)).toList();
    }

    private static Set<String> tests(SourceTree tree) {
        Set<String> names = new HashSet<>();
        for (SourceFile file : tree.files()) {
            String name = file.name().replace(".java", "");
            if (file.isTest() && TEST.matcher(name).matches()) {
                names.add(name);
            }
        }
        return names;
    }

    private static Set<String> subcommands(SourceTree tree) {
        Set<String> names = new HashSet<>();
        for (SourceFile file : tree.files()) {
            if (file.isMain() && file.module().equals("cli") && file.text().contains("@Command(")) {
                SUBCOMMAND.matcher(file.text()).results().forEach(it -> names.add(it.group(1)));
            }
        }
        names.remove("verbena");
        return names;
    }
}
