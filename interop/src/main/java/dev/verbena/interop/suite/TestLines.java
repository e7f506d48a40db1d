package dev.verbena.interop.suite;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file of results: an object for each test, written when the test is over, so that a run that
/// breaks leaves what it had.
final class TestLines implements AutoCloseable {
    private static final JsonFactory JSON = new JsonFactory();

    private final Writer out;

    TestLines(Path file) throws IOException {
        out = Files.newBufferedWriter(file);
    }

    void append(TestLine line) {
        try {
            out.write(text(line) + "\n");
            out.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(TestLine line) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("kind", "test");
            json.writeStringField("suite", line.suite());
            json.writeStringField("subject", line.subject());
            json.writeStringField("name", line.name());
            json.writeStringField("outcome", line.outcome());
            json.writeStringField("reason", line.reason());
            json.writeNumberField("ms", line.ms());
            json.writeEndObject();
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
