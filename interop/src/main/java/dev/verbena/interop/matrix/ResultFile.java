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
    void append(SortedMap<String, String> facts) throws IOException {
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

    private void append(Map<String, Object> line) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            for (Map.Entry<String, Object> field : line.entrySet()) {
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

    /// Everything known about the runs of the file, later lines before earlier ones.
    Map<String, String> facts() throws IOException {
        Map<String, String> facts = new TreeMap<>();
        for (Map<String, String> line : lines("run")) {
            facts.putAll(line);
        }
        facts.remove("kind");
        return facts;
    }

    List<Result> cells() throws IOException {
        return lines("cell").stream()
                .map(
                        it ->
                                new Result(
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
                                        number(it, "ms")))
                .toList();
    }

    /// The objects of a kind, each field as text.
    List<Map<String, String>> lines(String kind) throws IOException {
        List<Map<String, String>> found = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Map<String, String> fields = parse(line);
            if (kind.equals(fields.get("kind"))) {
                found.add(fields);
            }
        }
        return found;
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
