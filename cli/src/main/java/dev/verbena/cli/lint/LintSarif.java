package dev.verbena.cli.lint;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.lint.Code;
import dev.verbena.lint.Finding;
import dev.verbena.lint.Place;
import dev.verbena.lint.Report;
import dev.verbena.lint.Unjudged;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/// A report in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code hosts show
/// beside the lines of a file.
final class LintSarif {
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    /// Results refer to rules by their place in this list.
    private static final List<Code> RULES = List.of(Code.values());

    private final JsonGenerator json;

    private LintSarif(JsonGenerator json) {
        this.json = json;
    }

    static void write(Report report, JsonGenerator json) throws IOException {
        new LintSarif(json).write(report);
    }

    private void write(Report report) throws IOException {
        json.writeStartObject();
        json.writeStringField("$schema", SCHEMA);
        json.writeStringField("version", "2.1.0");
        json.writeArrayFieldStart("runs");
        json.writeStartObject();
        json.writeObjectFieldStart("tool");
        json.writeObjectFieldStart("driver");
        json.writeStringField("name", "verbena lint");
        json.writeStringField("informationUri", "https://verbena.dev");
        json.writeArrayFieldStart("rules");
        for (Code code : RULES) {
            rule(code);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
        json.writeStringField("columnKind", "utf16CodeUnits");
        json.writeArrayFieldStart("results");
        for (Finding finding : report.findings()) {
            result(finding);
        }
        for (Unjudged question : report.unjudged()) {
            result(question);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void rule(Code code) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", code.name());
        text("shortDescription", code.meaning());
        json.writeObjectFieldStart("help");
        json.writeStringField("text", code.explanation());
        json.writeStringField("markdown", code.explanation());
        json.writeEndObject();
        json.writeObjectFieldStart("defaultConfiguration");
        json.writeStringField("level", code.severity().word());
        json.writeEndObject();
        json.writeEndObject();
    }

    private void result(Finding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("ruleId", finding.code().name());
        json.writeNumberField("ruleIndex", RULES.indexOf(finding.code()));
        json.writeStringField("level", finding.severity().word());
        text(
                "message",
                "%s%n%s%n%s"
                        .formatted(
                                finding.problem(),
                                String.join("\n", finding.evidence()),
                                finding.remedy()));
        location(finding.place());
        json.writeEndObject();
    }

    /// A question without an answer has the kind "open", and then no level.
    private void result(Unjudged question) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", "open");
        json.writeStringField("level", "none");
        text(
                "message",
                "not judged: %s; needs %s".formatted(question.question(), question.missing()));
        location(question.place());
        json.writeEndObject();
    }

    private void text(String field, String text) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeStringField("text", text);
        json.writeEndObject();
    }

    private void location(Place place) throws IOException {
        json.writeArrayFieldStart("locations");
        json.writeStartObject();
        json.writeObjectFieldStart("physicalLocation");
        json.writeObjectFieldStart("artifactLocation");
        json.writeStringField("uri", uri(place.file()));
        json.writeEndObject();
        json.writeObjectFieldStart("region");
        json.writeNumberField("startLine", place.line());
        json.writeNumberField("startColumn", place.column());
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
    }

    /// A relative reference may have no colon before its first slash.
    private static String uri(String file) {
        boolean relative = !file.startsWith("/");
        try {
            return new URI(null, null, relative ? "./" + file : file, null).toASCIIString();
        } catch (URISyntaxException unusual) {
            throw new IllegalArgumentException(file + " is no path", unusual);
        }
    }
}
