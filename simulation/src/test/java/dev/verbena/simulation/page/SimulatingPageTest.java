package dev.verbena.simulation.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/simulating-your-program.md shows the program that is compiled and run here, and its output.
class SimulatingPageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final String HERE = "simulation/src/test/java/dev/verbena/simulation/page/";
    private static final Path PAGE = ROOT.resolve("docs/simulating-your-program.md");
    private static final Pattern OUTPUT =
            Pattern.compile("```text\n(.*?)…\n(.*?)```", Pattern.DOTALL);
    private static final int LINES_MAX = 40;

    @Test
    void thePageShowsTheProgramAsItIs() throws IOException {
        String text = Files.readString(ROOT.resolve(HERE + "Shift.java"));
        String code = text.substring(text.indexOf("\n\nimport") + 2);
        assertThat(Files.readString(PAGE)).contains("```java\n" + code + "```");
        assertThat(code.lines().filter(line -> !line.isBlank()))
                .hasSizeLessThanOrEqualTo(LINES_MAX);
    }

    @Test
    void theProgramPrintsWhatThePageSaysEveryTime() throws IOException {
        Matcher shown = OUTPUT.matcher(Files.readString(PAGE));
        assertThat(shown.find()).isTrue();
        String first = output();

        assertThat(first).startsWith(shown.group(1)).endsWith(shown.group(2));
        assertThat(first.lines()).hasSize(65);
        assertThat(output()).isEqualTo(first);
    }

    private static String output() {
        PrintStream usual = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            Shift.main(new String[0]);
        } finally {
            System.setOut(usual);
        }
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
