package dev.verbena.interop.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuitePageTest {
    @TempDir private Path directory;

    @Test
    void countsTestsBySubjectAndSaysWhyTheyAreNotGreen() throws IOException {
        assertThat(SuitePage.markdown(kernels("6.1")))
                .contains("| Rate | 0 | 0 | 1 |\n| Read | 1 | 1 | 0 |\n| all | 1 | 1 | 1 |")
                .contains("| RATE_LIMIT: no pacing | 1 |")
                .contains("| b: gone \\| away | 1 |")
                .contains("| nothing is left | green | by night |");
    }

    @Test
    void hasAColumnForEachKernel() throws IOException {
        assertThat(SuitePage.markdown(kernels("6.1", "6.12")))
                .contains("| subject | Linux 6.1: green | red | skipped | Linux 6.12: green |")
                .contains("| Read | 1 | 1 | 0 | 1 | 1 | 0 |")
                .contains("| RATE_LIMIT: no pacing | 1 | 1 |")
                .contains("| nothing is left | green | green | by night |");
    }

    private List<KernelResults> kernels(String... names) throws IOException {
        for (String name : names) {
            Files.writeString(directory.resolve("linux-" + name + ".jsonl"), "");
            Files.writeString(
                    directory.resolve("linux-" + name + "-ibverbs.jsonl"),
                    """
                    {"kind":"run","kernel":"6.1.0","device":"rxe0"}
                    {"kind":"test","subject":"ReadConformance","name":"a","outcome":"green"}
                    {"kind":"test","subject":"ReadConformance","name":"b","outcome":"red",\
                    "reason":"AssertionError: gone | away (Seen.java:51)"}
                    {"kind":"test","subject":"RateConformance","name":"c","outcome":"skipped",\
                    "reason":"TestAbortedException: RATE_LIMIT: no pacing (World.java:62)"}
                    {"kind":"leak","name":"nothing is left","outcome":"green"}
                    """);
        }
        return KernelResults.read(directory);
    }
}
