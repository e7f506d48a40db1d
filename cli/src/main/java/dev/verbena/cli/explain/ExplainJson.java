package dev.verbena.cli.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/// An explanation as JSON.
final class ExplainJson {
    private ExplainJson() {}

    static void write(Explanation it, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", it.name());
        json.writeNumberField("code", it.code());
        json.writeStringField("alias", it.alias());
        json.writeStringField("meaning", it.meaning());
        if (!it.vendor().isEmpty()) {
            json.writeStringField("vendor", it.vendor());
        }
        json.writeArrayFieldStart("causes");
        for (Branch branch : it.branches()) {
            for (Cause cause : branch.causes()) {
                json.writeStartObject();
                if (!branch.title().isEmpty()) {
                    json.writeStringField("when", branch.title());
                }
                json.writeStringField("cause", cause.what());
                json.writeStringField("look", cause.look());
                json.writeStringField("remedy", cause.remedy());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
