package dev.verbena.cli.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.cli.plan.Section.Note;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// A report as one JSON object: the tables by network, the texts by section.
final class PlanJson {
    private PlanJson() {}

    static void write(PlanReport report, JsonGenerator json) throws IOException {
        List<Section> sections = report.sections();
        json.writeStartObject();
        json.writeStringField("plan", report.head());
        json.writeArrayFieldStart("fabrics");
        for (int i = 0; i < report.networks().size(); i++) {
            json.writeStartObject();
            json.writeStringField("fabric", report.networks().get(i));
            json.writeStringField("title", report.titles().get(i));
            for (Section section : sections) {
                if (!section.rows().isEmpty()) {
                    json.writeObjectFieldStart(section.key());
                    for (Row row : section.rows()) {
                        json.writeFieldName(row.key());
                        write(row.cells().get(i).value(), json);
                    }
                    json.writeEndObject();
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        for (Section section : sections) {
            if (!section.notes().isEmpty()) {
                json.writeArrayFieldStart(section.key());
                for (Note note : section.notes()) {
                    write(note, json);
                }
                json.writeEndArray();
            }
        }
        json.writeEndObject();
    }

    private static void write(Note note, JsonGenerator json) throws IOException {
        json.writeStartObject();
        if (!note.network().isEmpty()) {
            json.writeStringField("fabric", note.network());
        }
        json.writeStringField("key", note.key());
        if (!note.head().isEmpty()) {
            json.writeStringField("title", note.head());
        }
        json.writeStringField("text", note.text());
        json.writeEndObject();
    }

    private static void write(Object value, JsonGenerator json) throws IOException {
        switch (value) {
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number when number % 1 == 0 -> json.writeNumber(number.longValue());
            case Double number -> json.writeNumber(number);
            case List<?> list -> {
                json.writeStartArray();
                for (Object each : list) {
                    write(each, json);
                }
                json.writeEndArray();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(String.valueOf(entry.getKey()));
                    write(entry.getValue(), json);
                }
                json.writeEndObject();
            }
            default -> json.writeString(value.toString());
        }
    }
}
