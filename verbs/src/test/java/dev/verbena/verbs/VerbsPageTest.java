package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Holds `docs/verbs.md` to the code that it speaks of.
class VerbsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final Path PAGE = ROOT.resolve("docs/verbs.md");
    private static final Path CODE =
            ROOT.resolve("verbs/src/test/java/dev/verbena/verbs/VerbsPage.java");
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);
    // A type of ours and perhaps a method of it, as `QueuePair.sends()`.
    private static final Pattern NAME =
            Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))?(?:\\(.*?\\))?`");

    @Test
    void everyLineOfCodeOnThePageCompiles() throws IOException {
        String compiled = withoutIndent(Files.readString(CODE));
        List<String> blocks = blocks("java");
        assertThat(blocks).hasSizeGreaterThan(8);
        assertThat(blocks).allSatisfy(it -> assertThat(compiled).contains(withoutIndent(it)));
    }

    @Test
    void theExplanationOnThePageIsTheOneThatIsGiven() throws IOException {
        assertThat(blocks("text"))
                .containsExactly(CompletionStatus.REMOTE_ACCESS_ERROR.explanation() + "\n");
    }

    @Test
    void everyNameOfOursOnThePageExists() throws IOException {
        Set<String> unknown = new TreeSet<>();
        int known = 0;
        Matcher name = NAME.matcher(BLOCK.matcher(Files.readString(PAGE)).replaceAll(""));
        while (name.find()) {
            Class<?> type = type(name.group(1));
            if (type == null || (name.group(2) != null && !has(type, name.group(2)))) {
                unknown.add(name.group());
            } else {
                known++;
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(known).isGreaterThan(50);
    }

    private static @Nullable Class<?> type(String name) {
        try {
            return Class.forName("dev.verbena.verbs." + name);
        } catch (ClassNotFoundException absent) {
            return null;
        }
    }

    private static boolean has(Class<?> type, String member) {
        return Stream.of(
                        Arrays.stream(type.getMethods()).map(it -> it.getName()),
                        Arrays.stream(type.getFields()).map(it -> it.getName()),
                        Arrays.stream(type.getClasses()).map(it -> it.getSimpleName()))
                .flatMap(names -> names)
                .anyMatch(member::equals);
    }

    private static List<String> blocks(String language) throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            if (block.group(1).equals(language)) {
                blocks.add(block.group(2));
            }
        }
        return blocks;
    }

    /// The same tokens on whatever lines: a page is narrower than the formatter likes it.
    private static String withoutIndent(String code) {
        return code.replaceAll("\\s+", "");
    }
}
