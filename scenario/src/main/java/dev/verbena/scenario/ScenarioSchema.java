package dev.verbena.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The texts that belong to scenarios: the JSON Schema, which the command and editors share, and an
/// example that runs as it is.
public final class ScenarioSchema {
    private ScenarioSchema() {}

    /// The schema, JSON Schema 2020-12.
    public static String text() {
        return read("scenario.schema.json");
    }

    /// A commented scenario.
    public static String example() {
        return read("example.yaml");
    }

    private static String read(String name) {
        try (InputStream in = ScenarioSchema.class.getResourceAsStream(name)) {
            byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
