package dev.verbena.interop.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InteropPageTest {
    private static final String ODD = "it said \"no\" | and\nleft";

    @TempDir private Path directory;

    @Test
    void readsBackWhatWasWritten() throws IOException {
        ResultFile file = new ResultFile(directory.resolve("result.jsonl"));
        Result green = result("Verbena", "none", Result.GREEN, "");
        Result red = result("rxe", "loss", Result.RED, ODD);
        file.append(new TreeMap<>(Map.of("kernel", "6.1.0", "seed", "7")));
        file.append(green);
        file.append(red);
        assertThat(file.cells()).containsExactly(green, red);
        assertThat(file.facts()).containsEntry("kernel", "6.1.0").containsEntry("seed", "7");
    }

    @Test
    void takesLinesThatAScriptWrote() throws IOException {
        Path path = directory.resolve("result.jsonl");
        Files.writeString(
                path,
                """
                {"kind":"run","rdma-core":"44.0-2"}
                {"kind":"capture","name":"matrix","outcome":"clean"}
                """,
                StandardOpenOption.CREATE);
        ResultFile file = new ResultFile(path);
        assertThat(file.facts()).containsEntry("rdma-core", "44.0-2");
        assertThat(file.lines("capture")).hasSize(1);
        assertThat(file.cells()).isEmpty();
    }

    @Test
    void showsEachCellUnderEachCondition() {
        String page =
                InteropPage.markdown(
                        Map.of("kernel", "6.1.0"),
                        List.of(
                                result("Verbena", "none", Result.GREEN, ""),
                                result("rxe", "none", Result.DIFFERS, "INVALIDATED_FLAG"),
                                result("Verbena", "loss", Result.GREEN, ""),
                                result("rxe", "loss", Result.RED, "gone")),
                        List.of());
        assertThat(page)
                .contains("1 of 4 cells red")
                .contains("| READ | yes | not played |")
                .contains("| yes (1) | not played |")
                .contains("| READ | 1 of 1 | 0 of 1 (2) |")
                .contains("1. " + Difference.INVALIDATED_FLAG.reason())
                .contains("2. gone.");
    }

    private static Result result(String requester, String faults, String outcome, String reason) {
        return new Result(
                "READ", requester, "other", 4, 1024, "on", faults, outcome, reason, 9, 8, 7, 6, 5);
    }
}
