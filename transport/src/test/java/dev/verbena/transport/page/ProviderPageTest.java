package dev.verbena.transport.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// docs/writing-a-provider.md shows the skeleton that is compiled and tried here.
class ProviderPageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final String HERE = "transport/src/test/java/dev/verbena/transport/page/";

    private static String code(String name) throws IOException {
        String text = Files.readString(ROOT.resolve(HERE + name + ".java"));
        return text.substring(text.indexOf("\n\nimport") + 2);
    }

    @Test
    void thePageShowsTheSkeletonAndItsWorldAsTheyAre() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/writing-a-provider.md"));
        assertThat(page).contains("```java\n" + code("PipeNetwork") + "```");
        assertThat(page).contains("```java\n" + code("PipeConformanceTest") + "```");
    }
}
