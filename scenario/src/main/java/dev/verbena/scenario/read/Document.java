package dev.verbena.scenario.read;

import dev.verbena.scenario.read.Places.Place;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// A YAML text as a tree, with the place of each key and value.
final class Document {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int CHARS_MAX = 1 << 20;
    private static final int DEPTH_MAX = 32;

    private final Places places;
    private final Problems problems;
    private final ObjectNode root;

    private Document(Places places, Problems problems, ObjectNode root) {
        this.places = places;
        this.problems = problems;
        this.root = root;
    }

    /// @param file what errors call the text
    static Document parse(String file, String text) {
        Places places = new Places(file);
        Problems problems = new Problems(places);
        ObjectNode root = NODES.objectNode();
        if (text.length() > CHARS_MAX) {
            problems.add("", "more than %,d characters; a scenario is short".formatted(CHARS_MAX));
            return new Document(places, problems, root);
        }
        try (JsonParser parser = new YAMLMapper().createParser(text)) {
            JsonNode read = new Reader(parser, places, problems).root();
            if (read instanceof ObjectNode found) {
                root = found;
            } else {
                problems.add("", "no scenario: it begins with keys, such as \"topology:\"");
            }
        } catch (JacksonException malformed) {
            TokenStreamLocation at = malformed.getLocation();
            places.value("", at == null ? new Place(1, 1) : Place.of(at));
            problems.add("", "this is no YAML: " + firstLine(malformed.getOriginalMessage()));
        }
        return new Document(places, problems, root);
    }

    private static String firstLine(String message) {
        String line = message.lines().findFirst().orElse("it cannot be read").strip();
        return line + "; check the indentation, colons and quotes of this line and the one above";
    }

    Places places() {
        return places;
    }

    Problems problems() {
        return problems;
    }

    ObjectNode root() {
        return root;
    }

    /// One pass over the tokens.
    private static final class Reader {
        private final JsonParser parser;
        private final Places places;
        private final Problems problems;

        Reader(JsonParser parser, Places places, Problems problems) {
            this.parser = parser;
            this.places = places;
            this.problems = problems;
        }

        JsonNode root() {
            parser.nextToken();
            JsonNode root = value("", 0);
            if (parser.nextToken() != null) {
                places.key("/---", Place.of(parser.currentTokenLocation()));
                problems.addKey("/---", "a second document begins here; leave it out");
            }
            return root;
        }

        private JsonNode value(String pointer, int depth) {
            JsonToken token = parser.currentToken();
            if (token == null || depth > DEPTH_MAX) {
                return NODES.nullNode();
            }
            places.value(pointer, Place.of(parser.currentTokenLocation()));
            return switch (token) {
                case START_OBJECT -> object(pointer, depth);
                case START_ARRAY -> array(pointer, depth);
                case VALUE_TRUE -> NODES.booleanNode(true);
                case VALUE_FALSE -> NODES.booleanNode(false);
                case VALUE_NULL -> NODES.nullNode();
                case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
                case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
                default -> NODES.stringNode(parser.getString());
            };
        }

        private ObjectNode object(String pointer, int depth) {
            ObjectNode object = NODES.objectNode();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                String at = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
                Place place = Place.of(parser.currentTokenLocation());
                parser.nextToken();
                if (object.has(name)) {
                    int first = places.key(at).line();
                    places.key(at + "\0", place);
                    problems.addKey(
                            at + "\0",
                            "the key is there already, in line %d; leave one out".formatted(first));
                    value(at + "\0", depth + 1);
                } else {
                    places.key(at, place);
                    object.set(name, value(at, depth + 1));
                }
            }
            return object;
        }

        private ArrayNode array(String pointer, int depth) {
            ArrayNode array = NODES.arrayNode();
            while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
                array.add(value(pointer + "/" + array.size(), depth + 1));
            }
            return array;
        }
    }
}
