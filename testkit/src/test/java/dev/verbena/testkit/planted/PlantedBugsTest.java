package dev.verbena.testkit.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedBugsTest {
    @TempDir Path home;

    @Test
    void readsBugsOfOneLineAndOfSeveral() throws IOException {
        String plan =
                """
                # The reader.
                bug: reads one byte too early
                file: wire/Reader.java
                find: at + 4
                replace: at + 3

                bug: forgets the check
                file: Reader.java
                find: if (a: b) {
                |    return;
                |}
                replace:
                """;
        assertThat(read(plan))
                .containsExactly(
                        new PlantedBug(
                                "reads one byte too early",
                                Path.of("wire/Reader.java"),
                                "at + 4",
                                "at + 3"),
                        new PlantedBug(
                                "forgets the check",
                                Path.of("Reader.java"),
                                "if (a: b) {\n    return;\n}",
                                ""));
    }

    @Test
    void refusesAPlanThatSaysTooLittle() {
        assertThatThrownBy(() -> read("# none\n")).hasMessageEndingWith("plan.txt plants nothing");
        assertThatThrownBy(() -> read("bug: a\nfile: A.java\nreplace: b\n"))
                .hasMessageStartingWith("plan.txt:3: the bug before this line has no find");
        assertThatThrownBy(() -> read("bug: a\nfile: A.java\nfind: b\n"))
                .hasMessageContaining("bug 'a' has no replace");
    }

    @Test
    void refusesAPlanThatSaysTooMuch() {
        String bug = "bug: a\nfile: A.java\nfind: b\nreplace: c\n";
        assertThatThrownBy(() -> read(bug + "find: d\n"))
                .hasMessage("plan.txt:5: a second find for one bug");
        assertThatThrownBy(() -> read(bug + bug))
                .hasMessageContaining("a second bug is called 'a'");
        assertThatThrownBy(() -> read(bug.replace(": c", ": b")))
                .hasMessageContaining("bug 'a' changes nothing");
        assertThatThrownBy(() -> read("bog: a\n")).hasMessageContaining("found: bog: a");
    }

    @Test
    void writesATableAndAPage() throws IOException {
        PlantedBug one = new PlantedBug("a | b", Path.of("A.java"), "x", "y");
        PlantedBug two = new PlantedBug("longer", Path.of("B.java"), "x", "y");
        PlantedReport report =
                new PlantedReport(
                        List.of(
                                new PlantedResult(one, true, "ATest.seesIt", 12),
                                new PlantedResult(two, false, "", 3456)));
        assertThat(report.table())
                .isEqualTo(
                        """
                          1  a | b       12 ms  caught by ATest.seesIt
                          2  longer    3456 ms  SURVIVED
                        1 of 2 planted bugs were caught.
                        """);
        Path page = home.resolve("docs/planted.md");
        report.writeMarkdown("Bugs planted in a", page);
        assertThat(page)
                .hasContent(
                        """
                        # Bugs planted in a

                        1 of 2 planted bugs were caught.

                        | # | planted bug | file | caught by |
                        |---|---|---|---|
                        | 1 | a \\| b | `A.java` | ATest.seesIt |
                        | 2 | longer | `B.java` | **SURVIVED** |
                        """);
        assertThat(report.survivors()).singleElement().extracting("bug").isEqualTo(two);
    }

    private List<PlantedBug> read(String text) throws IOException {
        return PlantedBugs.read(Files.writeString(home.resolve("plan.txt"), text));
    }
}
