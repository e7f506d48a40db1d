package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A run of `verbena sim --json`.
///
/// @param values by path, such as `failed[0].flow`
record SimRun(Command command, Map<String, String> values) {
    static Command text(String words) {
        return Command.run(
                Stream.concat(Stream.of("sim"), Stream.of(words.split(" ", -1))).toArray());
    }

    static SimRun of(String words) throws IOException {
        Command command = text(words + " --json");
        Map<String, String> values = new LinkedHashMap<>();
        assertThat(command.out()).as(command.err()).startsWith("{");
        try (JsonParser parser = new JsonFactory().createParser(command.out())) {
            parser.nextToken();
            read(parser, "", values);
        }
        return new SimRun(command, values);
    }

    private static void read(JsonParser parser, String path, Map<String, String> values)
            throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    read(parser, path.isEmpty() ? name : path + "." + name, values);
                }
            }
            case START_ARRAY -> {
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    read(parser, path + "[" + i + "]", values);
                }
            }
            default -> values.put(path, parser.getText());
        }
    }

    String value(String path) {
        return Optional.ofNullable(values.get(path))
                .orElseThrow(() -> new AssertionError("no " + path + " in " + command.out()));
    }

    double number(String path) {
        return Double.parseDouble(value(path));
    }

    long count(String path) {
        return Long.parseLong(values.getOrDefault(path, "0"));
    }
}
