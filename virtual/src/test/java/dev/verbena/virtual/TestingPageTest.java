package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult.Status;

/// Runs the code of `docs/testing.md`, and holds the pages to the code that they show.
class TestingPageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final Path PAGE = ROOT.resolve("docs/testing.md");
    private static final Path CODE =
            ROOT.resolve("virtual/src/test/java/dev/verbena/virtual/TestingPage.java");
    private static final Path CONTRACT =
            ROOT.resolve("examples/replicated-log/src/test/java/example/log/LogContract.java");
    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");

    @ParameterizedTest
    @ValueSource(
            classes = {
                TestingPage.First.class,
                TestingPage.Faulty.class,
                TestingPage.Drawn.class,
                TestingPage.Own.class,
                TestingPage.Late.class,
                TestingPage.Crash.class,
                TestingPage.Threaded.class,
                TestingPage.Plain.class
            })
    void theTestsOfThePagePass(Class<?> type) {
        Launch launch = Launch.of(type);
        assertThat(launch.statuses()).isNotEmpty().containsOnly(Status.SUCCESSFUL);
    }

    @Test
    void theRaceOfThePageFailsUnderSomeSeedsAndReplays() {
        List<Integer> wrong = new ArrayList<>();
        for (int seed = 1; seed <= 50; seed++) {
            if (raceFails(seed)) {
                wrong.add(seed);
            }
        }
        assertThat(wrong).as("seeds that show it").isNotEmpty().hasSizeLessThan(50);
        assertThat(wrong).allSatisfy(seed -> assertThat(raceFails(seed)).isTrue());
        assertThat(Launch.of(TestingPage.Hasty.class).last().message())
                .startsWith("expected: <2> but was: <1>")
                .contains("-Dverbena.seed=" + wrong.getFirst());
    }

    private static boolean raceFails(int seed) {
        Launch launch =
                Launch.of(TestingPage.Hasty.class, Map.of("verbena.seed", Integer.toString(seed)));
        return launch.last().status() == Status.FAILED;
    }

    @Test
    void everyLineOfCodeOnThePageIsAmongThem() throws IOException {
        String compiled = withoutBlanks(Files.readString(CODE));
        List<String> blocks = blocks(PAGE, "java");
        assertThat(blocks).hasSizeGreaterThan(6);
        assertThat(blocks).allSatisfy(it -> assertThat(compiled).contains(withoutBlanks(it)));
    }

    @Test
    void theReadmeShowsTheTestOfTheReplicatedLog() throws IOException {
        String code = withoutBlanks(Files.readString(CONTRACT));
        assertThat(blocks(ROOT.resolve("README.md"), "java"))
                .anySatisfy(
                        it ->
                                assertThat(it)
                                        .contains("everythingCommittedIsThere")
                                        .satisfies(
                                                text ->
                                                        assertThat(code)
                                                                .contains(withoutBlanks(text))));
    }

    @Test
    void versionsOnThePageAreThoseOfTheProject() throws IOException {
        Matcher ours = VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(ours.find()).isTrue();
        for (String block : blocks(PAGE, "xml")) {
            Matcher shown = VERSION.matcher(block);
            while (shown.find()) {
                assertThat(shown.group(1)).isEqualTo(ours.group(1));
            }
        }
        assertThat(blocks(PAGE, "kotlin"))
                .allSatisfy(it -> assertThat(it).contains(":" + ours.group(1) + "\""));
    }

    @Test
    void theTestsOfThePageThatNeedNoFaultsPassOnLoopback() {
        Launch launch = Launch.of(TestingPage.First.class, Map.of("verbena.device", "loopback://"));
        assertThat(launch.statuses()).containsOnly(Status.SUCCESSFUL);
    }

    private static List<String> blocks(Path page, String language) throws IOException {
        List<String> blocks = new ArrayList<>();
        Pattern fence = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
        Matcher block = fence.matcher(Files.readString(page));
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }

    /// The same tokens on whatever lines: a page is narrower than the formatter likes it.
    private static String withoutBlanks(String code) {
        return code.replaceAll("\\s+", "");
    }
}
