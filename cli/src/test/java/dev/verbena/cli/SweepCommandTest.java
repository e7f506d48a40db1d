package dev.verbena.cli;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                results.resolve("000003.json"), results.resolve("000005.json"), REPLACE_EXISTING);
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

    private void topology(String name) throws IOException {
        Path root = Path.of(System.getProperty("verbena.root", ".."));
        Files.copy(root.resolve("docs/fabrics/mixed.topo"), directory.resolve(name));
        Files.writeString(
                directory.resolve("base.yaml"),
                BASE.replace("{switch: {hosts: 5}}", "{file: " + name + "}")
                        .replace("senders: 4", "senders: 3"));
        Files.writeString(directory.resolve("sweep.yaml"), SWEEP.replace("[2, 3, 4]", "[2, 3]"));
    }

    @Test
    void aFileThatCannotBeReadForAWhileIsNoResult() throws IOException {
        topology("mixed.topo");
        Files.copy(directory.resolve("mixed.topo"), directory.resolve("other.topo"));
        Files.writeString(
                directory.resolve("sweep.yaml"),
                "{scenario: base.yaml, axes: {topology.file: [mixed.topo, other.topo]}}");
        plan();
        Path away = out.resolve("away");
        Files.move(out.resolve("other.topo"), away);
        Command failed = run();
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err()).contains("cannot be read").contains("other.topo");
        assertThat(out.resolve("results/000001.json")).doesNotExist();
        Files.move(away, out.resolve("other.topo"));
        assertThat(run().out()).endsWith("1 points ran, 1 had results\n");
        assertThat(collect().status()).isZero();
        assertThat(out.resolve("results.csv")).content().contains("\n1,other.topo,true,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"points.csv", "Sweep.yaml", "results.csv", "results"})
    void aFileWithANameOfTheSweepsOwnIsRefused(String name) throws IOException {
        topology(name);
        Files.move(directory.resolve("sweep.yaml"), directory.resolve("plan.yaml"));
        Command refused = Command.run("sweep", "plan", directory.resolve("plan.yaml"), out);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains(name + " would be in the place of a file of the sweep");
        assertThat(out).doesNotExist();
    }

    @Test
    void aLinkThatLeadsElsewhereIsNotFollowed() throws IOException {
        Path inner = Files.createDirectory(directory.resolve("inner"));
        Path sweep = Files.copy(directory.resolve("sweep.yaml"), inner.resolve("sweep.yaml"));
        Files.createSymbolicLink(inner.resolve("base.yaml"), directory.resolve("base.yaml"));
        Command refused = Command.run("sweep", "plan", sweep, out);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("base.yaml leads elsewhere; put the file itself there");
        assertThat(out).doesNotExist();
    }
}
