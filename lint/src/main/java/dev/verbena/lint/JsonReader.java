package dev.verbena.lint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads JSON so that every value keeps its line and column.
final class JsonReader {
    private static final int DEPTH_MAX = 32;
    private static final int VALUES_MAX = 500_000;
    private static final int NAME_CHARS_MAX = 1_024;
    private static final int NUMBER_CHARS_MAX = 100;
    private static final int STRING_CHARS_MAX = 65_536;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEPTH_MAX)
                                    .maxNameLength(NAME_CHARS_MAX)
                                    .maxNumberLength(NUMBER_CHARS_MAX)
                                    .maxStringLength(STRING_CHARS_MAX)
                                    .build())
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();

    private final Text text;
    private final JsonParser parser;
    private final Findings findings;
    private int values;

    private JsonReader(Text text, JsonParser parser, Findings findings) {
        this.text = text;
        this.parser = parser;
        this.findings = findings;
    }

    /// The one value of a document.
    static Json read(Text text, Findings findings) {
        try (JsonParser parser = FACTORY.createParser(text.content())) {
            JsonReader reader = new JsonReader(text, parser, findings);
            if (parser.nextToken() == null) {
                throw new LintException(text.file() + " is empty");
            }
            Json value = reader.value();
            if (parser.nextToken() != null) {
                throw new LintException(reader.place() + ": more text after the end of the JSON");
            }
            return value;
        } catch (JsonProcessingException malformed) {
            JsonLocation at = malformed.getLocation();
            String line = at == null ? "" : ":" + Math.max(1, at.getLineNr());
            throw new LintException(
                    text.file() + line + ": not valid JSON: " + reason(malformed), malformed);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String reason(JsonProcessingException malformed) {
        String message = String.valueOf(malformed.getOriginalMessage());
        if (malformed instanceof StreamConstraintsException) {
            return message.startsWith("Document nesting depth")
                    ? "it is deeper than %d levels".formatted(DEPTH_MAX)
                    : "a name, number or text is too long";
        }
        return message.lines().findFirst().orElse("").replaceAll(" \\(.*", "");
    }

    private Json value() throws IOException {
        if (++values > VALUES_MAX) {
            throw new LintException(
                    "%s has more than %,d values".formatted(text.file(), VALUES_MAX));
        }
        Place place = place();
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(place);
            case START_ARRAY -> array(place);
            case VALUE_NULL -> Json.of(Json.Shape.NULL, place);
            default -> Json.text(place, parser.getText());
        };
    }

    private Json object(Place place) throws IOException {
        Map<String, Json> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            Place at = place();
            parser.nextToken();
            Json value = value();
            Json before = members.put(name, value);
            if (before != null) {
                findings.add(
                        Code.VL102,
                        at,
                        "'%s' is there twice".formatted(Shown.word(name)),
                        List.of(
                                before.place().says("'%s' first".formatted(Shown.word(name))),
                                at.says("'%s' again".formatted(Shown.word(name)))),
                        "Keep one of them.");
            }
        }
        return new Json(Json.Shape.OBJECT, place, "", members);
    }

    /// Tables have no arrays that a rule looks at: its items are read and dropped.
    private Json array(Place place) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            value();
        }
        return Json.of(Json.Shape.ARRAY, place);
    }

    private Place place() {
        JsonLocation at = parser.currentTokenLocation();
        return new Place(text.file(), Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
    }
}
