package dev.verbena.conformance.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plants bugs in a module of one class and one test, made for the purpose.
@Tag("long")
class PlantedRunTest {
    private static final String SUM =
            """
            package small;

            final class Sum {
                static int upTo(int last) {
                    int sum = 0;
                    for (int i = 1; i <= last; i++) {
                        sum += i;
                    }
                    return sum;
                }
            }
            """;

    private static final String SUM_TEST =
            """
            package small;

            import static org.junit.jupiter.api.Assertions.assertEquals;

            import org.junit.jupiter.api.Tag;
            import org.junit.jupiter.api.Test;

            class SumTest {
                @Test
                void addsUpToTheLast() {
                    System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
                    assertEquals(6, Sum.upTo(3));
                    assertEquals("passed on", System.getProperty("seed"));
                }

                @Test
                void oneIsTheFirst() {
                    assertEquals(1, Sum.upTo(1));
                }

                @Test
                @Tag("planted")
                void wouldPlantForEver() {
                    throw new AssertionError();
                }
            }
            """;

    @TempDir Path home;

    @BeforeEach
    void writeTheModule() throws IOException {
        write("main/small/Sum.java", SUM);
        write("test/small/SumTest.java", SUM_TEST);
        compileTests();
        // Last, or javac would take the tests for a part of the module.
        write("main/module-info.java", "module small { requires not.there; }");
    }

    @Test
    void saysWhatBecameOfEachBug() throws Exception {
        List<PlantedResult> results =
                plant(
                        bug("starts too late", "i = 1", "i = 2"),
                        bug("starts at zero, which is harmless", "i = 1", "i = 0"),
                        bug("leaves", "return sum;", "System.exit(3); return 6;"));
        assertThat(results.stream().map(PlantedResult::fate))
                .containsExactly(
                        "caught by SumTest.addsUpToTheLast",
                        "SURVIVED",
                        "caught by the end of the JVM with code 3");
    }

    @Test
    void stopsAnEndlessLoopAtTheTimeLimit() throws Exception {
        PlantedRun run = new PlantedRun(module(), Duration.ofSeconds(2), PlantedRecord.none());
        assertThat(run.run(List.of(bug("never ends", "i++", "i += 0"))).getFirst().fate())
                .isEqualTo("caught by the time limit");
    }

    @Test
    void failsLoudlyWhenTheTextToFindIsGone() {
        assertThatThrownBy(() -> plant(bug("stale", "i = 7", "i = 8")))
                .isInstanceOf(PlantedException.class)
                .hasMessage("bug 'stale': the text to find is not in Sum.java any more: i = 7");
    }

    @Test
    void failsLoudlyWhenTheTextToFindIsThereTwice() {
        assertThatThrownBy(() -> plant(bug("vague", "sum", "total")))
                .hasMessageContaining("is in Sum.java more than once");
    }

    @Test
    void failsLoudlyWhenTheFileIsGone() {
        PlantedBug bug = new PlantedBug("lost", Path.of("Product.java"), "a", "b");
        assertThatThrownBy(() -> plant(bug))
                .hasMessageContaining("0 files are called Product.java");
    }

    @Test
    void failsLoudlyWhenABugDoesNotCompile() {
        assertThatThrownBy(() -> plant(bug("broken", "return sum;", "return som;")))
                .hasMessageStartingWith("bug 'broken' does not compile:\n");
    }

    @Test
    void failsLoudlyWhenTheTestsFailWithoutABug() throws IOException {
        write("main/small/Sum.java", SUM.replace("i = 1", "i = 2"));
        assertThatThrownBy(() -> plant(bug("any", "return sum", "return 0")))
                .hasMessageContaining("the run ends by SumTest.addsUpToTheLast:\n");
    }

    @Test
    void startsWithTheTestThatCaughtTheBugTheLastTime() throws Exception {
        PlantedBug bug = bug("starts too late", "i = 1", "i = 2");
        Path page = home.resolve("page.md");
        new PlantedReport(List.of(new PlantedResult(bug, true, "SumTest.oneIsTheFirst", 0)))
                .writeMarkdown("The last run", page);
        PlantedRun run =
                new PlantedRun(module(), PlantedRun.DEFAULT_LIMIT, PlantedRecord.read(page));
        assertThat(run.run(List.of(bug)).getFirst().by()).isEqualTo("SumTest.oneIsTheFirst");
    }

    @Test
    void leavesOutChangedFilesWhenTheirTimeIsOver() throws Exception {
        PlantedChoice late =
                new PlantedChoice(List.of("main/small/Sum.java"), Instant.MIN, Optional.empty());
        PlantedRun run = new PlantedRun(module());
        assertThat(run.run(List.of(bug("starts too late", "i = 1", "i = 2")), late)).isEmpty();
    }

    private List<PlantedResult> plant(PlantedBug... bugs) throws Exception {
        return new PlantedRun(module()).run(List.of(bugs));
    }

    private static PlantedBug bug(String name, String find, String replace) {
        return new PlantedBug(name, Path.of("Sum.java"), find, replace);
    }

    private PlantedModule module() {
        return new PlantedModule(
                home.resolve("main"),
                home.resolve("test-classes"),
                List.copyOf(PlantedModule.loadable()),
                Map.of("seed", "passed on"));
    }

    private void write(String path, String text) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void compileTests() {
        String classPath =
                PlantedModule.loadable().stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        int code =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-implicit:none",
                                "-d",
                                home.resolve("test-classes").toString(),
                                "--class-path",
                                classPath,
                                "--source-path",
                                home.resolve("main").toString(),
                                home.resolve("test/small/SumTest.java").toString());
        assertThat(code).isZero();
    }
}
