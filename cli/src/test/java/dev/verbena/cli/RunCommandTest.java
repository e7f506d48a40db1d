package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `verbena init` and `verbena run`, as a user meets them.
class RunCommandTest {
    private static final String SMALL =
            """
            scenario: small
            topology: {switch: {hosts: 5}}
            workloads:
              - {name: incast, incast: {senders: 4, size: 64K}}
            """;

    @TempDir Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("small.yaml"), text);
    }

    @Test
    void theExampleOfInitRunsAsItIsAndHolds() {
        Path file = directory.resolve("my.yaml");
        Command init = Command.run("init", file, "--schema");
        assertThat(init.status()).isZero();
        assertThat(directory.resolve("scenario.schema.json")).isNotEmptyFile();
        Command run = Command.run("run", file);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("holds   completed == 100%").doesNotContain("FAILED");
    }

    @Test
    void initOverwritesNothing() throws IOException {
        Path file = file("mine");
        assertThat(Command.run("init", file).status()).isEqualTo(2);
        assertThat(file).hasContent("mine");
    }

    @Test
    void allFilesThatWereAskedForAreWritten() throws IOException {
        Path html = directory.resolve("r.html");
        Path json = directory.resolve("r.json");
        Path junit = directory.resolve("r.xml");
        Command run =
                Command.run("run", file(SMALL), "--report", html, "--json", json, "--junit", junit);
        assertThat(run.status()).isZero();
        assertThat(html).content().startsWith("<!DOCTYPE html>");
        assertThat(json).content().startsWith("{\"title\":\"small\"");
        assertThat(junit).content().contains("failures=\"0\"");
    }

    @Test
    void whatDoesNotHoldIsStatusOne() throws IOException {
        Command run = Command.run("run", file(SMALL + "assert: [p99 < 1us]\n"));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("FAILED  p99 < 1us: it is ");
    }

    @Test
    void mistakesAreStatusTwoWithALineEach() throws IOException {
        Command run = Command.run("run", file(SMALL + "sed: 1\nlimit: 5\n"));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .hasSize(2)
                .anyMatch(
                        it ->
                                it.endsWith(
                                        "small.yaml:5:1: sed: there is no such key; did you mean"
                                                + " \"seed\"?"))
                .anyMatch(it -> it.contains("'5' has no unit"));
    }

    @Test
    void twoFaultsOfACableAtATimeAreAUsageError() throws IOException {
        String faults =
                """
                faults:
                  - {where: host-1, down: true, from: 1us, until: 5us}
                  - {where: host-1, down: true, from: 2us, until: 6us}
                """;
        Command run = Command.run("run", file(SMALL + faults));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("small.yaml: cable 1 would have two faults");
    }

    @Test
    void aTopologyFileIsFoundBesideTheScenario() throws IOException {
        Path root = Path.of(System.getProperty("verbena.root", ".."));
        Files.copy(root.resolve("docs/fabrics/mixed.topo"), directory.resolve("mixed.topo"));
        String text = SMALL.replace("{switch: {hosts: 5}}", "{file: mixed.topo}");
        Command run = Command.run("run", file(text.replace("senders: 4", "senders: 3")));
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        Command none = Command.run("run", file(text.replace("mixed", "none")));
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err()).contains("small.yaml:2:18: topology.file: no file ");
    }
}
