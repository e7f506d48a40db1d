package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `verbena compare`, as a user meets it.
class CompareCommandTest {
    private static final String SMALL =
            """
            scenario: small
            topology: {switch: {hosts: 5}}
            workloads:
              - {name: incast, incast: {senders: 4, size: 64K}}
            """;

    @TempDir Path directory;

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void twoFilesGiveWordsAPageAndFigures() throws IOException {
        Path html = directory.resolve("c.html");
        Path json = directory.resolve("c.json");
        Command run =
                Command.run(
                        "compare",
                        file("ib.yaml", SMALL + "fabric: {kind: ib}"),
                        file("roce.yaml", SMALL),
                        "--report",
                        html,
                        "--json",
                        json);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("roce takes ").contains(" fabric.kind ");
        assertThat(html).content().startsWith("<!DOCTYPE html>");
        assertThat(json).content().startsWith("{\"command\":\"verbena compare ");
    }

    @Test
    void twoFoldersGiveAPairForEachName() throws IOException {
        file("ib/one.yaml", SMALL + "fabric: {kind: ib}");
        file("ib/two.yaml", SMALL + "fabric: {kind: ib}\nseed: 2");
        file("roce/one.yaml", SMALL);
        Path ib = directory.resolve("ib");
        Path roce = directory.resolve("roce");
        Command lone = Command.run("compare", ib, roce);
        assertThat(lone.status()).isEqualTo(2);
        assertThat(lone.err()).contains("only one folder has two.yaml");
        file("roce/two.yaml", SMALL + "seed: 2");
        Command run = Command.run("compare", ib, roce);
        assertThat(run.status()).isZero();
        assertThat(run.out().lines().filter(it -> it.startsWith("roce takes "))).hasSize(2);
    }

    @Test
    void otherWorkIsAUsageErrorThatNamesIt() throws IOException {
        Command run =
                Command.run(
                        "compare",
                        file("a.yaml", SMALL),
                        file("b.yaml", SMALL.replace("64K", "32K")));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("do other work, incast: bytes: 65536 and 32768; give both");
    }

    @Test
    void whatDoesNotHoldInOneOfThemIsStatusOne() throws IOException {
        Command run =
                Command.run(
                        "compare",
                        file("a.yaml", SMALL),
                        file("b.yaml", SMALL + "assert: [p99 < 1us]"));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("FAILED  b: p99 < 1us: it is ");
    }

    @Test
    void aFileOutsideTheFolderIsReadOnlyWhenItIsAllowed() throws IOException {
        Path root = Path.of(System.getProperty("verbena.root", ".."));
        Files.copy(root.resolve("docs/fabrics/mixed.topo"), directory.resolve("mixed.topo"));
        String text =
                SMALL.replace("{switch: {hosts: 5}}", "{file: ../mixed.topo}")
                        .replace("senders: 4", "senders: 3");
        Path file = file("below/s.yaml", text);
        Command refused = Command.run("run", file);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("is not in the scenario's folder");
        assertThat(Command.run("run", file, "--any-file").status()).isZero();
        Files.createSymbolicLink(
                directory.resolve("below/link.topo"), directory.resolve("mixed.topo"));
        Path linked = file("below/l.yaml", text.replace("../mixed", "link"));
        assertThat(Command.run("run", linked).err()).contains("is not in the scenario's folder");
    }
}
