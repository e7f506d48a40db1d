package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoverageRuleTest {
    private static final String TEST = "wire/src/test/java/dev/verbena/wire/CreditTest.java";
    private static final String COMMAND = "cli/src/main/java/dev/verbena/cli/SimCommand.java";

    @Test
    void acceptsTestsScriptsAndSubcommandsThatExist() {
        assertThat(found("| 1 | a | **live** | `CreditTest`, `bin/soak 5` | |")).isEmpty();
        assertThat(found("| 1 | a | **simulated** | `verbena sim`, `bin/verbena sim -h` | |"))
                .isEmpty();
        assertThat(found("| 1 | a | **bytes only** | `interop/rxe/run` | a note |")).isEmpty();
        assertThat(found("| 1 | a | **planned** | | |")).isEmpty();
        assertThat(found("| 1 | a | **left out** | | nothing to test against |")).isEmpty();
    }

    @Test
    void refusesATestThatWasRenamedAndSaysWhatToDo() {
        assertThat(found("| 1 | a | **live** | `CreditTest`, `LaneTest` | |"))
                .containsExactly(
                        "docs/coverage.md:1 coverage: row 1: names LaneTest, which is no test class"
                                + " (…Test), no script of bin/ or interop/ and no subcommand of"
                                + " verbena: write its new name, or name what shows this row now");
    }

    @Test
    void refusesAHelperOfTestsACommandAndAScriptThatDoNotExist() {
        for (String name :
                List.of("Credits", "verbena plan", "bin/verbena plan", "bin/none", "interop/rxe")) {
            assertThat(found("| 1 | a | **live** | `" + name + "` | |"))
                    .as(name)
                    .singleElement()
                    .asString()
                    .contains("row 1: names " + name + ",");
        }
    }

    @Test
    void refusesAnUnknownState() {
        assertThat(found("| 1 | a | **built** | `CreditTest` | |"))
                .containsExactly(
                        "docs/coverage.md:1 coverage: row 1: state 'built' is unknown: use one of"
                                + " live, simulated, bytes only, planned, left out");
    }

    @Test
    void refusesALiveRowWithoutANameAndAPlannedOneWithOne() {
        assertThat(found("| 1 | a | **live** | soon | `CreditTest` |"))
                .singleElement()
                .asString()
                .contains("row 1: is live and names no test or command");
        assertThat(found("| 1 | a | **planned** | `CreditTest` | |"))
                .singleElement()
                .asString()
                .contains("row 1: is planned and names a test or command");
    }

    @Test
    void refusesARowThatIsLeftOutWithoutAReason() {
        assertThat(found("| 1 | a | **left out** | | |"))
                .singleElement()
                .asString()
                .contains("row 1: is left out without a reason");
    }

    @Test
    void refusesAMissingStatementAndAMissingCell() {
        assertThat(found("| 1 | a | **live** | `CreditTest` |"))
                .singleElement()
                .asString()
                .contains("row 1: has 4 cells");
        assertThat(found("| 1 | a | **planned** | | |\n| 3 | a | **planned** | | |", 4))
                .singleElement()
                .asString()
                .contains("row 3: follows row 1");
        assertThat(check("| 1 | a | **planned** | | |\n"))
                .singleElement()
                .asString()
                .contains("ends with row 1 of " + CoverageRule.STATEMENTS);
    }

    private static List<String> found(String row) {
        return found(row, 2);
    }

    /// What is found in a page of this row and all that follow from `next` on.
    private static List<String> found(String row, int next) {
        return check(
                IntStream.rangeClosed(next, CoverageRule.STATEMENTS)
                        .mapToObj("| %d | a | **planned** | | |\n"::formatted)
                        .collect(Collectors.joining("", row + "\n", "")));
    }

    private static List<String> check(String page) {
        Map<String, String> files = new TreeMap<>();
        files.put(CoverageRule.PAGE, page);
        files.put(TEST, "class CreditTest {}");
        files.put(TEST.replace("CreditTest", "Credits"), "class Credits {}");
        files.put(COMMAND, "@Command(name = \"sim\") class SimCommand {}");
        files.put("bin/soak", "");
        files.put("bin/verbena", "");
        files.put("interop/rxe/run", "");
        return new CoverageRule()
                .check(SourceTree.of(files)).stream().map(Finding::toString).toList();
    }
}
