package dev.verbena.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.verbena.plan.Catalog;
import dev.verbena.plan.Inputs;
import dev.verbena.plan.Plan;
import dev.verbena.plan.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The three forms of a report say the same.
@Tag("command")
class PlanReportTest {
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:[,.]\\d+)*");

    private static PlanReport report(String line) {
        Settings settings = new Settings();
        for (String word : line.split(" ", -1)) {
            int at = word.indexOf('=');
            settings.put(word.substring(0, at), word.substring(at + 1), word.substring(0, at));
        }
        return new PlanReport(Plan.of(Inputs.of(settings), Catalog.builtIn()));
    }

    private static String text(PlanReport report) {
        StringWriter text = new StringWriter();
        new PlanText(new PrintWriter(text)).print(report);
        return text.toString();
    }

    private static String markdown(PlanReport report) {
        StringWriter text = new StringWriter();
        new PlanMarkdown(new PrintWriter(text)).print(report);
        return text.toString();
    }

    private static String json(PlanReport report) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(text)) {
            PlanJson.write(report, generator);
        }
        return text.toString();
    }

    private static Set<BigDecimal> numbers(String text) {
        Set<BigDecimal> numbers = new HashSet<>();
        Matcher matcher = NUMBER.matcher(text);
        while (matcher.find()) {
            String number = matcher.group().replace(",", "");
            if (number.chars().filter(c -> c == '.').count() < 2) {
                numbers.add(new BigDecimal(number).stripTrailingZeros());
            }
        }
        return numbers;
    }

    /// Numbers and texts of a JSON object, names left out.
    private static Set<BigDecimal> values(String json) throws IOException {
        Set<BigDecimal> numbers = new HashSet<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isNumeric()) {
                    numbers.add(parser.getDecimalValue().stripTrailingZeros());
                } else if (token == JsonToken.VALUE_STRING) {
                    numbers.addAll(numbers(parser.getText()));
                }
            }
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpus=512",
                "gpus=16 fabric=ib",
                "gpus=4096 team=ib needs=many-vendors",
                "gpus=32768 oversubscription=1.5",
                "gpus=1024 layout=planes fabric=roce rate=800",
                "gpus=100000",
                "nodes=8 tiers=pair",
                "gpus=3000 radix=36 host-metres=20 spine-metres=600"
            })
    void everyFigureOfTheTextIsInTheJsonAndInTheMarkdown(String line) throws IOException {
        PlanReport report = report(line);
        String text = text(report);
        assertThat(values(json(report))).containsAll(numbers(text));
        assertThat(numbers(markdown(report))).isEqualTo(numbers(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpus=512", "gpus=100000", "gpus=2048 fabric=ib", "gpus=999 radix=20"})
    void theTextFitsInEightyColumns(String line) {
        assertThat(text(report(line)).lines())
                .allSatisfy(it -> assertThat(it.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void theMarkdownHasATableForEachSection() {
        String markdown = markdown(report("gpus=512"));
        assertThat(markdown).contains("| leaves | 16 | 8 |").contains("|---|---|---|");
        assertThat(markdown).contains("- **InfiniBand subnet manager**: ");
    }

    @Test
    void aNetworkOfWhichThereIsNoPlanIsNamedWithItsReason() {
        String text = text(report("gpus=100000"));
        assertThat(text).contains("no InfiniBand:").contains("RoCE, by what was given");
    }
}
