package dev.verbena.conformance.ci;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs `.ci/stage` on tables of stages made for the purpose, and reads the table of the project.
@EnabledOnOs(OS.LINUX) // the scripts of CI are written for Debian
class StageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));

    @TempDir Path home;

    private record Outcome(int code, List<String> lines) {
        /// The row of a stage: name, seconds, result, retries.
        List<String> row(String stage) {
            int table = lines.lastIndexOf("stage             seconds  result    retries");
            assertThat(table).as("no table in " + lines).isNotNegative();
            return lines.subList(table, lines.size()).stream()
                    .filter(line -> line.startsWith(stage + " "))
                    .map(line -> List.of(line.split(" +", -1)))
                    .findFirst()
                    .orElseThrow();
        }

        String result(String stage) {
            return row(stage).get(2);
        }
    }

    @Test
    void aFailedStageFailsTheRunAndDoesNotHideTheOthers() throws Exception {
        Outcome outcome =
                run(
                        "first ci 1 2 1 - echo one; false",
                        "second ci 1 1 1 - echo two",
                        "third ci 1 2 1 - echo three");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.result("first")).isEqualTo("FAILED");
        assertThat(outcome.result("second")).isEqualTo("green");
        assertThat(outcome.result("third")).isEqualTo("green");
        assertThat(outcome.lines()).contains("one", "two", "three");
    }

    @Test
    void greenStagesMakeAGreenRun() throws Exception {
        assertThat(run("first ci 1 1 1 - true", "second ci 1 1 1 first true").code()).isZero();
    }

    @Test
    void aStageThatNeedsAFailedOneIsSkippedAndSaysSo() throws Exception {
        Outcome outcome =
                run(
                        "first ci 1 1 1 - false",
                        "second ci 1 1 1 first touch " + home.resolve("touched"),
                        "third ci 1 1 1 second true");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.lines())
                .contains("== second is skipped: it needs first")
                .contains("== third is skipped: it needs second");
        assertThat(outcome.result("second")).isEqualTo("skipped");
        assertThat(home.resolve("touched")).doesNotExist();
    }

    @Test
    void aStageStartsAfterThoseItNeeds() throws Exception {
        Path file = home.resolve("made");
        Outcome outcome =
                run(
                        "second ci 1 1 1 first cat " + file,
                        "first ci 1 1 1 - sleep 0.2; echo hello >" + file);
        assertThat(outcome.code()).isZero();
        assertThat(outcome.lines()).contains("hello");
    }

    @Test
    void aRetryShowsInTheTable() throws Exception {
        Path file = home.resolve("tried");
        Outcome outcome =
                run("flaky ci 1 1 3 - [ -e %s ] || { touch %s; false; }".formatted(file, file));
        assertThat(outcome.code()).isZero();
        assertThat(outcome.row("flaky").subList(2, 4)).containsExactly("green", "1");
    }

    @Test
    void aStageIsTriedNoMoreOftenThanItMay() throws Exception {
        Path file = home.resolve("tries");
        Outcome outcome = run("broken ci 1 1 3 - echo once >>" + file + "; false");
        assertThat(outcome.row("broken").subList(2, 4)).containsExactly("FAILED", "2");
        assertThat(Files.readAllLines(file)).hasSize(3);
    }

    @Test
    void anUnknownStageIsAUsageError() throws Exception {
        Outcome outcome = stage(List.of("known ci 1 1 1 - true"), "unknown");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.lines())
                .containsExactly("there is no stage unknown; .ci/stage list names them");
    }

    @Test
    void theListNamesEveryStageWithItsShare() throws Exception {
        Outcome outcome =
                stage(List.of("first ci 3 1 1 - true", "second ci 1 2 1 - echo two"), "list");
        assertThat(outcome.lines())
                .containsExactly(
                        "stage            minutes  share processors  runs",
                        "first                  3    75%          1  true",
                        "second                 1    25%          2  echo two");
    }

    @Test
    void theTableOfTheProjectNamesCommandsAndStagesThatExist() throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve(".ci/stages.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] fields = line.split(" +", 7);
            assertThat(List.of("1", "2")).as(line).contains(fields[3]);
            assertThat(!fields[4].equals("1")).as(line).isEqualTo(fields[6].contains(" # "));
            for (String need : fields[5].split(",", -1)) {
                assertThat(need.equals("-") || names.contains(need)).as(line).isTrue();
            }
            String command = fields[6].replaceFirst("^timeout \\d+ ", "").split(" ", 2)[0];
            assertThat(ROOT.resolve(command)).as(line).isExecutable();
            names.add(fields[0]);
        }
        assertThat(names).doesNotHaveDuplicates().contains("build", "planted");
    }

    /// Runs all stages of a table.
    private Outcome run(String... table) throws IOException, InterruptedException {
        return stage(List.of(table), "--set", "ci");
    }

    private Outcome stage(List<String> table, String... arguments)
            throws IOException, InterruptedException {
        Path file = Files.write(home.resolve("stages.txt"), table);
        List<String> command = new ArrayList<>(List.of("bash", ".ci/stage"));
        command.addAll(List.of(arguments));
        Path output = home.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("STAGES_TABLE", file.toString());
        builder.environment().put("STAGES_LOGS", home.resolve("logs").toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readAllLines(output, StandardCharsets.UTF_8));
    }
}
