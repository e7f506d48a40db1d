package dev.verbena.cli.doctor;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.lint.Severity;
import java.io.IOException;
import java.util.List;

/// Findings as JSON: one object with a list and the sums.
final class DoctorJson {
    private DoctorJson() {}

    static void write(List<Finding> findings, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("findings");
        for (Finding finding : findings) {
            json.writeStartObject();
            json.writeStringField("code", finding.code().name());
            json.writeStringField("severity", finding.severity().word());
            json.writeStringField("area", finding.code().area().title());
            json.writeStringField("meaning", finding.code().meaning());
            json.writeStringField("problem", finding.problem());
            json.writeArrayFieldStart("evidence");
            for (String line : finding.evidence()) {
                json.writeString(line);
            }
            json.writeEndArray();
            json.writeStringField("remedy", finding.remedy());
            json.writeStringField("command", finding.command());
            json.writeEndObject();
        }
        json.writeEndArray();
        for (Severity severity : Severity.values()) {
            json.writeNumberField(severity.word() + "s", DoctorText.count(findings, severity));
        }
        json.writeEndObject();
    }
}
