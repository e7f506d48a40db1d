package dev.verbena.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The explanations of codes, in the module and in `docs/lint.md`.
class CodesTest {
    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", "..")).resolve("docs/lint.md");
    private static final String BEGIN = "<!-- codes -->\n";
    private static final String END = "<!-- end of codes -->\n";

    @Test
    void everyCodeHasASectionAndEverySectionItsCode() {
        List<String> sections =
                Pattern.compile("(?m)^### (.*)$")
                        .matcher(Code.page())
                        .results()
                        .map(result -> result.group(1))
                        .toList();

        assertThat(sections).isEqualTo(Arrays.stream(Code.values()).map(Code::name).toList());
    }

    @Test
    void everyAreaHasAHeading() {
        List<String> headings =
                Pattern.compile("(?m)^## (.*)$")
                        .matcher(Code.page())
                        .results()
                        .map(MatchResult::group)
                        .toList();

        assertThat(headings).hasSameSizeAs(Area.values());
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void anExplanationBeginsWithTheMeaningAndEndsWithTheRemedy(Code code) {
        String explanation = code.explanation();

        assertThat(explanation).startsWith("### " + code + "\n\n").contains("Remedy:");
        assertThat(explanation.substring(4)).doesNotContain("#");
        String first = code.meaning().substring(0, code.meaning().length() - 1);
        assertThat(explanation.replace('\n', ' ')).contains(first);
    }

    /// With `-Ddocs=write` the page gets the sections anew.
    @Test
    void thePageHasTheSectionsOfTheModule() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END);
        assertThat(to).isGreaterThan(from);
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(PAGE, page.substring(0, from) + Code.page() + page.substring(to));
            return;
        }

        assertThat(page.substring(from, to))
                .as("stale page: write it anew with -Ddocs=write")
                .isEqualTo(Code.page());
    }
}
