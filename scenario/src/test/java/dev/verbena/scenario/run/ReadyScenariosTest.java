package dev.verbena.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.compare.SameWork;
import dev.verbena.scenario.read.Problem;
import dev.verbena.scenario.read.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every file in `scenarios` is read without a problem, and all that it asserts holds.
class ReadyScenariosTest {
    private static final Path READY =
            Path.of(System.getProperty("verbena.root", "..")).resolve("scenarios");

    @TestFactory
    Stream<DynamicTest> everythingThatAReadyScenarioAssertsHolds() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(READY)) {
            files = all.filter(it -> it.toString().endsWith(".yaml")).sorted().toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(6);
        return files.stream()
                .map(it -> DynamicTest.dynamicTest(it.getFileName().toString(), () -> holds(it)));
    }

    /// They take too long to run here; `verbena compare` takes them by pairs.
    @TestFactory
    Stream<DynamicTest> largeScenariosAreReadAndDoTheSameWork() throws IOException {
        Path roce = READY.resolve("large/roce");
        List<Path> files;
        try (Stream<Path> all = Files.list(READY.resolve("large/infiniband"))) {
            files = all.sorted().toList();
        }
        assertThat(files).isNotEmpty();
        return files.stream()
                .map(
                        it ->
                                DynamicTest.dynamicTest(
                                        it.getFileName().toString(),
                                        () -> isSame(it, roce.resolve(it.getFileName()))));
    }

    private static void isSame(Path a, Path b) throws IOException {
        assertThat(SameWork.difference(read(a), read(b))).isEmpty();
    }

    private static Scenario read(Path file) throws IOException {
        ScenarioReader.Reading read =
                ScenarioReader.read(
                        file.getFileName().toString(), Files.readString(file), _ -> List.of());
        assertThat(read.problems()).map(Problem::toString).isEmpty();
        return Objects.requireNonNull(read.scenario());
    }

    private static void holds(Path file) throws IOException {
        Result result = ScenarioRun.of(read(file), Watcher.NONE);
        assertThat(result.checks()).as("what it asserts").isNotEmpty();
        assertThat(result.checks())
                .allSatisfy(
                        it ->
                                assertThat(it.holds())
                                        .as("%s: it is %s", it.check().text(), it.found())
                                        .isTrue());
        assertThat(result.isGood()).isTrue();
    }
}
