package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Runs `bin/lib/same-page-test`, which changes copies of generated pages and compares them.
@EnabledOnOs(OS.LINUX)
class SamePageTest {

    @Test
    void pagesThatDifferInMoreThanTheMachineAreFound() throws IOException, InterruptedException {
        Path script = SourceTree.root().resolve("bin/lib/same-page-test");
        assertThat(Files.isExecutable(script)).as("%s is executable", script).isTrue();

        Process process = new ProcessBuilder(script.toString()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
    }
}
