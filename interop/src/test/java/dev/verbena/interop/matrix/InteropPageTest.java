package dev.verbena.interop.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InteropPageTest {
    private static final String ODD = "it said \"no\" | and\nleft";
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));

    @TempDir private Path directory;

    @Test
    void readsBackWhatWasWritten() throws IOException {
        ResultFile file = new ResultFile(directory.resolve("result.jsonl"));
        Result green = result("Verbena", "none", Result.GREEN, "");
        Result red = result("rxe", "loss", Result.RED, ODD);
        file.facts(new TreeMap<>(Map.of("kernel", "6.1.0", "seed", "7")));
        file.append(green);
        file.append(red);
        ResultFile.Lines lines = file.read();
        assertThat(lines.cells()).containsExactly(green, red);
        assertThat(lines.facts()).containsEntry("kernel", "6.1.0").containsEntry("seed", "7");
    }

    @Test
    void takesLinesThatAScriptWrote() throws IOException {
        Path path = directory.resolve("result.jsonl");
        Files.writeString(
                path,
                """
                {"kind":"run","rdma-core":"44.0-2"}
                {"kind":"capture","name":"matrix","outcome":"clean"}
                """);
        ResultFile.Lines lines = new ResultFile(path).read();
        assertThat(lines.facts()).containsEntry("rdma-core", "44.0-2");
        assertThat(lines.of("capture")).hasSize(1);
        assertThat(lines.cells()).isEmpty();
    }

    @Test
    void showsEachCellWithEachKernelTheOldestFirst() throws IOException {
        kernel("6.12", result("Verbena", "none", Result.GREEN, ""));
        kernel(
                "6.1",
                result("Verbena", "none", Result.GREEN, ""),
                result("rxe", "none", Result.DIFFERS, "INVALIDATED_FLAG"),
                result("Verbena", "loss", Result.GREEN, ""),
                result("rxe", "loss", Result.RED, "gone"));
        assertThat(InteropPage.markdown(KernelResults.read(directory)))
                .contains("1 of 4 cells red")
                .contains("all of 1 cells green")
                .contains("| cell | Linux 6.1, from Verbena | Linux 6.1, from rxe | Linux 6.12,")
                .contains("| READ | 1 of 1 | 1 of 1 (1) | 1 of 1 | not played |")
                .contains("| READ | **1 of 2** (2) | not played |")
                .contains("1. " + Difference.INVALIDATED_FLAG.reason())
                .contains("2. From rxe, IPv4, MTU 1024, GSO on: gone.");
    }

    @Test
    void saysOfEachProgramWhetherEveryCommitRunsIt() throws IOException {
        Files.writeString(
                directory.resolve("linux-6.1.jsonl"),
                """
                {"kind":"pingpong","name":"a","outcome":"green","each":"commit"}
                {"kind":"pingpong","name":"b","outcome":"green","each":"night"}
                """);
        assertThat(InteropPage.markdown(KernelResults.read(directory)))
                .contains("| a | green | every commit |\n| b | green | by night |");
    }

    @Test
    void comparesAPartOfARunWithTheKeptWhole() throws IOException {
        Path fresh = directory.resolve("fresh.jsonl");
        Path kept = directory.resolve("kept.jsonl");
        new ResultFile(fresh).append(result("Verbena", "none", Result.GREEN, ""));
        new ResultFile(fresh).append(result("rxe", "none", Result.GREEN, ""));
        KeptResults.keep(fresh, kept);
        assertThat(Files.readString(kept)).doesNotContain("retransmissions");

        Path part = directory.resolve("part.jsonl");
        new ResultFile(part).append(result("rxe", "none", Result.GREEN, ""));
        assertThat(differences(part, kept)).isEmpty();
        new ResultFile(part).append(result("Verbena", "none", Result.RED, "gone"));
        new ResultFile(part).append(result("Verbena", "loss", Result.GREEN, ""));
        assertThat(differences(part, kept))
                .hasSize(2)
                .anyMatch(it -> it.contains("red, kept: green"))
                .anyMatch(it -> it.contains("not among the kept results"));
    }

    @Test
    void aNewTestOfTheSuiteIsNoDifferenceWhenItIsGreen() throws IOException {
        Path kept = directory.resolve("kept.jsonl");
        Files.writeString(kept, "");
        Path fresh = directory.resolve("fresh.jsonl");
        Files.writeString(
                fresh,
                """
                {"kind":"test","name":"a","outcome":"green"}
                {"kind":"test","name":"b","outcome":"red"}
                """);
        assertThat(differences(fresh, kept))
                .singleElement()
                .asString()
                .contains("b: red, kept: not among the kept results");
    }

    @Test
    void everyCommitPlaysEachVersionOfIpEachMtuAndGsoOnAndOff() {
        List<Conditions> quick =
                List.of(4, 6).stream()
                        .flatMap(ip -> List.of(1024, 4096).stream().flatMap(mtu -> all(ip, mtu)))
                        .filter(Conditions::isQuick)
                        .toList();
        for (Faults faults : List.of(Faults.NONE, Faults.ALL)) {
            List<Conditions> of = quick.stream().filter(it -> it.faults() == faults).toList();
            assertThat(of).extracting(Conditions::ip).contains(4, 6);
            assertThat(of).extracting(Conditions::mtu).contains(1024, 4096);
            assertThat(of).extracting(Conditions::gso).contains(true, false);
        }
        assertThat(quick).hasSize(6);
    }

    @Test
    void pageIsOfTheKeptResults() throws IOException {
        Path page = ROOT.resolve("docs/interop.md");
        String expected = InteropPage.ofDirectory(ROOT.resolve("interop/results"));
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(page, expected);
        }
        assertThat(page)
                .as("run interop/rxe/page, or this test with -Ddocs=write")
                .hasContent(expected);
    }

    private static List<String> differences(Path fresh, Path kept) throws IOException {
        return KeptResults.differences(new ResultFile(fresh).read(), new ResultFile(kept).read());
    }

    private static Stream<Conditions> all(int ip, int mtu) {
        return List.of(Faults.values()).stream()
                .flatMap(
                        it ->
                                List.of(true, false).stream()
                                        .map(gso -> new Conditions(ip, mtu, gso, it)));
    }

    private void kernel(String version, Result... results) throws IOException {
        ResultFile file = new ResultFile(directory.resolve("linux-" + version + ".jsonl"));
        for (Result it : results) {
            file.append(it);
        }
    }

    private static Result result(String requester, String faults, String outcome, String reason) {
        return new Result(
                "READ", requester, "other", 4, 1024, "on", faults, outcome, reason, 9, 8, 7, 6, 5);
    }
}
