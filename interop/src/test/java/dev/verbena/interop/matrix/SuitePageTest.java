package dev.verbena.interop.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuitePageTest {
    @TempDir private Path directory;

    @Test
    void countsTestsBySubjectAndSaysWhyTheyAreNotGreen() throws IOException {
        Path path = directory.resolve("ibverbs.jsonl");
        Files.writeString(
                path,
                """
                {"kind":"run","kernel":"6.1.0","device":"rxe0"}
                {"kind":"test","subject":"ReadConformance","name":"a","outcome":"green"}
                {"kind":"test","subject":"ReadConformance","name":"b","outcome":"red",\
                "reason":"AssertionError: gone | away (Seen.java:51)"}
                {"kind":"test","subject":"RateConformance","name":"c","outcome":"skipped",\
                "reason":"TestAbortedException: RATE_LIMIT: no pacing (World.java:62)"}
                {"kind":"leak","name":"nothing is left","outcome":"green"}
                """);
        assertThat(SuitePage.markdown(path))
                .contains("device rxe0 of Linux 6.1.0")
                .contains("| Rate | 0 | 0 | 1 |\n| Read | 1 | 1 | 0 |\n| all | 1 | 1 | 1 |")
                .contains("| RATE_LIMIT: no pacing | 1 |")
                .contains("| b | gone \\| away |")
                .contains("| nothing is left | green |");
    }
}
