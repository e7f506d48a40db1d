package dev.verbena.interop.matrix;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The machine-written result of a run: a JSON object per line, whose `kind` says what it is.
final class ResultFile {
    private static final JsonFactory JSON = new JsonFactory();

    private final Path file;

    ResultFile(Path file) {
        this.file = file;
    }

    /// What the run as a whole knows: the peer, the seed.
    void facts(SortedMap<String, String> facts) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>(Map.of("kind", "run"));
        line.putAll(facts);
        append(line);
    }

    void append(Result it) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "cell");
        line.put("cell", it.cell());
        line.put("requester", it.requester());
        line.put("responder", it.responder());
        line.put("ip", it.ip());
        line.put("mtu", it.mtu());
        line.put("gso", it.gso());
        line.put("faults", it.faults());
        line.put("outcome", it.outcome());
        line.put("reason", it.reason());
        line.put("packets", it.packets());
        line.put("retransmissions", it.retransmissions());
        line.put("duplicates", it.duplicates());
        line.put("lost", it.lost());
        line.put("ms", it.ms());
        append(line);
    }

    void append(Map<String, ?> line) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            for (Map.Entry<String, ?> field : line.entrySet()) {
                if (field.getValue() instanceof Number number) {
                    out.writeNumberField(field.getKey(), number.longValue());
                } else {
                    out.writeStringField(field.getKey(), field.getValue().toString());
                }
            }
            out.writeEndObject();
        }
        Files.writeString(file, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// All lines of the file.
    Lines read() throws IOException {
        List<Map<String, String>> all = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            all.add(parse(line));
        }
        return new Lines(List.copyOf(all));
    }

    /// The objects of a file, each field as text.
    record Lines(List<Map<String, String>> all) {
        static final Lines NONE = new Lines(List.of());

        /// The objects of a kind.
        List<Map<String, String>> of(String kind) {
            return all.stream().filter(it -> kind.equals(it.get("kind"))).toList();
        }

        /// Everything known about the runs of the file, later lines before earlier ones.
        Map<String, String> facts() {
            Map<String, String> facts = new TreeMap<>();
            of("run").forEach(facts::putAll);
            facts.remove("kind");
            return facts;
        }

        String fact(String name) {
            return facts().getOrDefault(name, "unknown");
        }

        List<Result> cells() {
            return of("cell").stream().map(ResultFile::cell).toList();
        }
    }

    private static Result cell(Map<String, String> it) {
        return new Result(
                text(it, "cell"),
                text(it, "requester"),
                text(it, "responder"),
                (int) number(it, "ip"),
                (int) number(it, "mtu"),
                text(it, "gso"),
                text(it, "faults"),
                text(it, "outcome"),
                text(it, "reason"),
                number(it, "packets"),
                number(it, "retransmissions"),
                number(it, "duplicates"),
                number(it, "lost"),
                number(it, "ms"));
    }

    private static Map<String, String> parse(String line) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser in = JSON.createParser(line)) {
            while (in.nextToken() != null) {
                if (in.currentToken() == JsonToken.FIELD_NAME) {
                    String name = in.currentName();
                    in.nextToken();
                    fields.put(name, in.getText());
                }
            }
        }
        return fields;
    }

    private static String text(Map<String, String> fields, String name) {
        return fields.getOrDefault(name, "");
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }
}
