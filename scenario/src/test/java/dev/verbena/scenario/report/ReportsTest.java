package dev.verbena.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.Runs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("rules")
class ReportsTest {
    private static final String HOSTILE = "</script><script>alert(1)</script><!-- & \\\"x\\\"";

    private static final Result RESULT =
            Runs.of(Runs.incast("\"" + HOSTILE + "\"", "assert: [drops == 0, max < 1us]\nseed: 5"));

    private static final Provenance FROM =
            new Provenance("a b's.yaml", "scenario: <b>", "verbena test", "abc123");

    @Test
    void noLineOfTheTextIsLongerThanEightyColumns() {
        assertThat(TextReport.of(RESULT, FROM).lines()).allMatch(it -> it.length() <= 80);
    }

    @Test
    void theVerdictComesFirst() {
        String text = TextReport.of(RESULT, FROM);
        assertThat(text.indexOf("is the limit")).isBetween(0, text.indexOf("Completion p50"));
        assertThat(text).contains("FAILED  max < 1us: it is ");
    }

    @Test
    void wordsOfTheUserAreNoMarkup() {
        String page = HtmlReport.of(RESULT, FROM);
        assertThat(page).doesNotContain("<script>alert").doesNotContain("scenario: <b>");
        assertThat(page).contains("\\u003c/script");
    }

    @Test
    void thePageNeedsNothingElse() {
        String page = HtmlReport.of(RESULT, FROM);
        String own = page.replaceAll("(?s)<script>/\\*!.*?</script>", "");
        assertThat(own).doesNotContain("src=\"http").doesNotContain("<link rel=\"stylesheet\"");
        assertThat(page).contains("Apache Software Foundation");
    }

    @Test
    void theJsonHasTheFiguresOfTheText() {
        JsonNode json = JsonMapper.shared().readTree(ResultJson.of(RESULT, FROM));
        assertThat(json.path("seed").asInt()).isEqualTo(5);
        assertThat(json.path("metrics").path("drops").asDouble()).isZero();
        assertThat(json.path("asserts").path(1).path("holds").asBoolean()).isFalse();
        assertThat(json.path("works").path(0).path("times").size()).isEqualTo(4);
    }

    @Test
    void junitCountsWhatDoesNotHold() {
        String xml = JUnitXml.of(RESULT, FROM);
        assertThat(xml).contains("tests=\"2\" failures=\"1\"").containsOnlyOnce("<failure ");
        assertThat(xml).contains("name=\"max &lt; 1us\"").doesNotContain("<script>");
    }

    @Test
    void theCommandCanBePasted() {
        assertThat(FROM.command()).isEqualTo("verbena run 'a b'\\''s.yaml'");
    }
}
