package dev.verbena.cli.lint;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.lint.Finding;
import dev.verbena.lint.Report;
import dev.verbena.lint.Severity;
import dev.verbena.lint.Unjudged;
import java.io.IOException;

/// A report as JSON: one object with findings, questions that were not judged, and the sums.
final class LintJson {
    private LintJson() {}

    static void write(Report report, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("findings");
        for (Finding finding : report.findings()) {
            json.writeStartObject();
            json.writeStringField("code", finding.code().name());
            json.writeStringField("severity", finding.severity().word());
            json.writeStringField("area", finding.code().area().title());
            json.writeStringField("meaning", finding.code().meaning());
            json.writeStringField("file", finding.place().file());
            json.writeNumberField("line", finding.place().line());
            json.writeNumberField("column", finding.place().column());
            json.writeStringField("problem", finding.problem());
            json.writeArrayFieldStart("evidence");
            for (String line : finding.evidence()) {
                json.writeString(line);
            }
            json.writeEndArray();
            json.writeStringField("remedy", finding.remedy());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("not_judged");
        for (Unjudged question : report.unjudged()) {
            json.writeStartObject();
            json.writeStringField("file", question.place().file());
            json.writeNumberField("line", question.place().line());
            json.writeStringField("question", question.question());
            json.writeStringField("missing", question.missing());
            json.writeEndObject();
        }
        json.writeEndArray();
        for (Severity severity : Severity.values()) {
            json.writeNumberField(severity.word() + "s", report.count(severity));
        }
        json.writeNumberField("left_out", report.leftOut());
        json.writeEndObject();
    }
}
