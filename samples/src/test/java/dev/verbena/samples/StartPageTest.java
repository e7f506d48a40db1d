package dev.verbena.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Does what `docs/start.md` says, and compares the output.
class StartPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", "..")).resolve("docs/start.md");
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OUTPUT =
            Pattern.compile("```console\n\\$ java .* Hello.java\n(.*?)```", Pattern.DOTALL);

    @TempDir Path directory;

    @Test
    void theFirstProgramRunsAndPrintsWhatIsWritten() throws IOException, InterruptedException {
        String page = Files.readString(PAGE);
        Path source = Files.writeString(directory.resolve("Hello.java"), block(PROGRAM, page));
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "--module-path",
                                        System.getProperty("jdk.module.path"),
                                        "--add-modules",
                                        "dev.verbena.transport",
                                        source.toString()))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output.replace(System.lineSeparator(), "\n")).isEqualTo(block(OUTPUT, page));
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void theSampleThatIsShownPrintsWhatIsWritten() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains("$ bin/sample RemoteCounter\n" + SamplesTest.COUNTED + "```");
    }

    private static String block(Pattern pattern, String page) {
        Matcher matcher = pattern.matcher(page);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
