package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `verbena sweep`: plan, run, collect.
class SweepCommandTest {
    private static final String BASE =
            """
            scenario: small
            topology: {switch: {hosts: 5}}
            workloads:
              - {name: incast, incast: {senders: 4, size: 8K}}
            """;
    private static final String SWEEP =
            """
            scenario: base.yaml
            axes:
              workloads[0].incast.senders: [2, 3, 4]
              seed: [1, 2]
            """;

    @TempDir Path directory;
    private Path out = Path.of("");

    @BeforeEach
    void files() throws IOException {
        Files.writeString(directory.resolve("base.yaml"), BASE);
        Files.writeString(directory.resolve("sweep.yaml"), SWEEP);
        out = directory.resolve("out");
    }

    private Command plan() {
        return Command.run("sweep", "plan", directory.resolve("sweep.yaml"), out);
    }

    private Command run(Object... more) {
        List<Object> words =
                Stream.concat(Stream.of("sweep", "run", out), Stream.of(more)).toList();
        return Command.run(words.toArray());
    }

    private Command collect() {
        return Command.run("sweep", "collect", out);
    }

    @Test
    void allPointsGiveOneTable() {
        assertThat(plan().status()).isZero();
        assertThat(run().status()).isZero();
        Command collected = collect();
        assertThat(collected.status()).isZero();
        assertThat(collected.out()).startsWith("6 of 6 points in ");
        assertThat(out.resolve("results.csv")).content().hasLineCount(7).contains("\n5,4,2,true,");
    }

    @Test
    void partsInAnyOrderAndTwiceGiveTheSameTable() throws IOException {
        plan();
        run();
        collect();
        String whole = Files.readString(out.resolve("results.csv"));
        out = directory.resolve("parts");
        plan();
        assertThat(run("--index", 4, "--count", 9).out()).endsWith("2 points ran, 0 had results\n");
        Command some = collect();
        assertThat(some.status()).isEqualTo(1);
        assertThat(some.out()).contains("missing: 0-3\n").contains("next: verbena sweep run ");
        run("--index", 1, "--count", 2);
        assertThat(run().out()).endsWith("2 points ran, 4 had results\n");
        assertThat(collect().status()).isZero();
        assertThat(out.resolve("results.csv")).hasContent(whole);
        try (Stream<Path> left = Files.list(out.resolve("results"))) {
            assertThat(left.map(it -> it.getFileName().toString()).sorted())
                    .containsExactly(
                            "000000.json",
                            "000001.json",
                            "000002.json",
                            "000003.json",
                            "000004.json",
                            "000005.json");
        }
    }

    @Test
    void aDamagedResultAndOneOfAnotherPlanRunAgain() throws IOException {
        plan();
        run();
        collect();
        String whole = Files.readString(out.resolve("results.csv"));
        Path results = out.resolve("results");
        Path damaged = results.resolve("000002.json");
        Files.writeString(damaged, Files.readString(damaged).substring(0, 40));
        Files.copy(
                results.resolve("000003.json"),
                results.resolve("000005.json"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(collect().out()).contains("missing: 2, 5\n");
        assertThat(run().out()).endsWith("2 points ran, 4 had results\n");
        collect();
        assertThat(out.resolve("results.csv")).hasContent(whole);
    }

    @Test
    void aPointThatIsWrongIsToldBeforeAnythingIsWritten() throws IOException {
        Files.writeString(directory.resolve("sweep.yaml"), SWEEP.replace("[2, 3, 4]", "[2, 5, 4]"));
        Command wrong = plan();
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("point 2, ")
                .contains("workloads[0].incast.senders: 5 does not fit 5 hosts");
        assertThat(out).doesNotExist();
    }

    @Test
    void aFolderWithASweepIsNotOverwritten() {
        plan();
        Command again = plan();
        assertThat(again.status()).isEqualTo(2);
        assertThat(again.err()).contains("has a sweep already; use another folder");
    }

    @Test
    void pointsThatDoNotExistAreAUsageError() {
        plan();
        assertThat(run("--index", 6).err()).contains("the sweep has 0 to 5");
        assertThat(run("--index", -1).status()).isEqualTo(2);
        assertThat(run("--count", 0).status()).isEqualTo(2);
    }
}
