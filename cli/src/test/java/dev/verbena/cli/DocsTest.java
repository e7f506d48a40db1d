package dev.verbena.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs every example of the documentation and compares what it prints.
///
/// An example is a fenced `console` block that starts with `$ bin/verbena`. A block may show the
/// beginning of the output only, and a line with `…` alone stands for any lines. `-Ddocs=write`
/// writes the pages anew: all of the output in `docs`, as many lines as before in the README.
/// Measured output differs from run to run: there every number stands for any other.
class DocsTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final Pattern EXAMPLE =
            Pattern.compile("```console\n\\$ bin/verbena ([^\n]*)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LEFT_OUT = Pattern.compile("^…\n", Pattern.MULTILINE);

    @TempDir Path directory;

    /// A command and where it stands.
    record Example(Path page, String arguments, String shown) {
        boolean isMeasured() {
            return arguments.contains("--loopback") || arguments.startsWith("devinfo");
        }

        @Override
        public String toString() {
            return ROOT.relativize(page) + ": verbena " + arguments;
        }
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
            List<Path> all = new ArrayList<>(pages.filter(DocsTest::isPage).sorted().toList());
            all.add(ROOT.resolve("README.md"));
            for (Path page : all) {
                Matcher matcher = EXAMPLE.matcher(Files.readString(page));
                while (matcher.find()) {
                    examples.add(new Example(page, matcher.group(1), matcher.group(2)));
                }
            }
        }
        return examples;
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExamplePrintsWhatThePageShows(Example example) throws IOException {
        String printed = run(example);
        if (System.getProperty("docs", "").equals("write")) {
            write(example, printed);
            return;
        }
        assertThat(example.shown).isNotBlank();
        String page =
                "stale page: correct the code, or write the pages anew with ./mvnw -pl cli -am"
                        + " -Dtest=DocsTest -Dsurefire.failIfNoSpecifiedTests=false -Ddocs=write"
                        + " test";
        if (example.isMeasured()) {
            assertShown(masked(printed), masked(example.shown), page);
        } else {
            assertShown(printed, example.shown, page);
        }
    }

    /// The parts between the lines left out must be there in order, the first at the beginning.
    private static void assertShown(String printed, String shown, String page) {
        List<String> parts = List.of(LEFT_OUT.split(shown, -1));
        assertThat(printed).as(page).startsWith(parts.getFirst());
        int from = parts.getFirst().length();
        for (String part : parts.subList(1, parts.size())) {
            assertThat(printed.substring(from)).as(page).contains(part);
            from = printed.indexOf(part, from) + part.length();
        }
    }

    private static void compare(Path drawn, Path shown) throws IOException {
        if (System.getProperty("docs", "").equals("write")) {
            Files.copy(drawn, shown, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(shown)
                .as("stale picture: draw it anew with -Ddocs=write")
                .hasSameTextualContentAs(drawn);
    }

    private static void write(Example example, String printed) throws IOException {
        if (LEFT_OUT.matcher(example.shown).find()) {
            return; // cut by hand
        }
        String output = printed;
        if (!isDocs(example.page)) {
            long lines = example.shown.lines().count();
            output = printed.lines().limit(lines).map(line -> line + "\n").collect(joining());
        }
        String text = Files.readString(example.page);
        String fence = "```console\n$ bin/verbena " + example.arguments + "\n";
        Files.writeString(
                example.page, text.replace(fence + example.shown + "```", fence + output + "```"));
    }

    /// A machine too busy to compile in time adds a line, which says nothing about the page.
    private static String masked(String text) {
        return text.replaceAll(" Not warm yet: .*\n", "")
                .replaceAll("0x[0-9a-f]+|\\.\\.[0-9a-f]{2} ", "#")
                .replaceAll("[0-9]+([.:][0-9]+)*", "#")
                .replaceAll("[ \t]+", " ");
    }

    /// The README shows the beginning of an output, a page of the documentation all of it.
    private static boolean isDocs(Path page) {
        return page.startsWith(ROOT.resolve("docs"));
    }

    private static boolean isPath(String word) {
        return word.contains("/")
                && !word.contains("=")
                && !word.contains("://")
                && Character.isLetter(word.charAt(0)); // not two numbers, such as 12/129
    }

    private String run(Example example) throws IOException {
        String arguments = example.arguments;
        Object[] words =
                Stream.of(arguments.split(" ", -1))
                        .map(word -> isPath(word) ? ROOT.resolve(word) : word)
                        .toArray();
        int picture = Arrays.asList(words).indexOf("--picture") + 1;
        Path shown = picture == 0 ? null : (Path) words[picture];
        if (shown != null) {
            words[picture] = directory.resolve("drawn.svg");
        }
        Command command = Command.run(words);
        if (shown != null && command.status() == 0) {
            compare(directory.resolve("drawn.svg"), shown);
        }
        // A doctor that finds a problem, a switch that drops, a storm that holds a flow up, and a
        // ring or a job that locks are shown on purpose.
        boolean mayFail =
                arguments.startsWith("doctor")
                        || arguments.startsWith("lint")
                        || arguments.contains("--lossy")
                        || arguments.contains("=storm@")
                        || arguments.contains("--one-lane")
                        || arguments.contains("ring.topo")
                        || arguments.contains("deadlock.goal");
        assertThat(command.status()).as(command.err()).isBetween(0, mayFail ? 1 : 0);
        String out = command.out() + (arguments.startsWith("replay") ? command.err() : "");
        return out.replaceAll("[ ]+\n", "\n");
    }
}
