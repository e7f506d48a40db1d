package dev.verbena.scenario.read;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.verbena.scenario.ScenarioSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds a document to the schema, and says in plain words what does not fit.
final class SchemaCheck {
    private static final Schema SCHEMA =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(ScenarioSchema.text(), InputFormat.JSON);

    private final Problems problems;

    SchemaCheck(Problems problems) {
        this.problems = problems;
    }

    void check(ObjectNode root) {
        for (Error each : SCHEMA.validate(root)) {
            // What one alternative lacks is no problem as long as another one fits.
            if (!each.getEvaluationPath().toString().contains("/oneOf/")) {
                tell(each, root);
            }
        }
    }

    private void tell(Error error, ObjectNode root) {
        String pointer = error.getInstanceLocation().toString();
        JsonNode rule = rule(error);
        JsonNode value = root.at(pointer);
        switch (error.getKeyword()) {
            case "additionalProperties" ->
                    unknown(pointer, String.valueOf(error.getProperty()), rule);
            case "required" ->
                    problems.addKey(
                            pointer + "/",
                            "the key \"%s\" is missing; add it%s"
                                    .formatted(
                                            error.getProperty(),
                                            meaning(rule, String.valueOf(error.getProperty()))));
            case "oneOf" -> alternatives(pointer, rule, value);
            case "enum" -> word(pointer, rule.path("enum"), value);
            case "type" -> type(pointer, rule, value);
            case "pattern" -> problems.add(pointer, refusal(rule, value.asString()));
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" ->
                    problems.add(
                            pointer, "%s is out of range; use %s".formatted(value, range(rule)));
            case "minItems", "minProperties", "minLength" ->
                    problems.add(pointer, "it is empty; give at least one, or leave the key out");
            default -> problems.add(pointer, error.getMessage());
        }
    }

    /// The schema object that has the keyword.
    private JsonNode rule(Error error) {
        String at = error.getSchemaLocation().getFragment().toString();
        int end = at.lastIndexOf('/');
        return SCHEMA.getSchemaNode().at(at.substring(0, Math.max(0, end)));
    }

    private void unknown(String pointer, String key, JsonNode rule) {
        List<String> known = List.copyOf(rule.path("properties").propertyNames());
        String remedy =
                Nearest.to(key, known)
                        .map("did you mean \"%s\"?"::formatted)
                        .orElseGet(
                                () -> known.isEmpty() ? "use the keys 0 to 7" : "use " + or(known));
        String at = pointer + "/" + key.replace("~", "~0").replace("/", "~1");
        problems.addKey(at, "there is no such key; " + remedy);
    }

    private String meaning(JsonNode rule, String property) {
        JsonNode of = rule.path("properties").path(property);
        JsonNode known =
                of.has("description") ? of : SCHEMA.getSchemaNode().at(reference(of, property));
        String text = known.path("description").asString("");
        return text.isEmpty()
                ? ""
                : ": " + text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private static String reference(JsonNode of, String property) {
        return of.path("$ref").asString("#/$defs/" + property).substring(1);
    }

    private void alternatives(String pointer, JsonNode rule, JsonNode value) {
        List<String> known =
                rule.path("oneOf")
                        .valueStream()
                        .map(it -> it.path("required").path(0).asString())
                        .toList();
        List<String> given = known.stream().filter(value::has).toList();
        if (given.isEmpty()) {
            problems.addKey(pointer, "it has no kind; give one of " + or(known));
        } else {
            problems.addKey(
                    pointer + "/" + given.get(1),
                    "%s stand side by side; leave all but one out".formatted(and(given)));
        }
    }

    private void word(String pointer, JsonNode allowed, JsonNode value) {
        List<String> known = allowed.valueStream().map(JsonNode::asString).toList();
        String word = value.isContainer() ? "this" : "'" + value.asString() + "'";
        String near =
                Nearest.to(value.asString(""), known)
                        .map(it -> "did you mean %s? There are ".formatted(it))
                        .orElse("use ");
        problems.add(pointer, "%s is not known; %s%s".formatted(word, near, or(known)));
    }

    private void type(String pointer, JsonNode rule, JsonNode value) {
        JsonNode type = rule.path("type");
        String wanted =
                type.isArray()
                        ? "a " + rule.path("title").asString("value")
                        : switch (type.asString()) {
                            case "integer" -> "a whole number";
                            case "number" -> "a number";
                            case "boolean" -> "true or false";
                            case "string" -> "a text";
                            case "array" -> "a list, each item after \"- \"";
                            default -> "keys with values";
                        };
        String found =
                switch (value.getNodeType()) {
                    case OBJECT -> "keys with values";
                    case ARRAY -> "a list";
                    case NULL, MISSING -> "nothing";
                    default -> "'" + value.asString() + "'";
                };
        problems.add(
                pointer, "here is %s where %s is wanted%s".formatted(found, wanted, example(rule)));
    }

    private static String example(JsonNode rule) {
        JsonNode first = rule.path("examples").path(0);
        if (!first.isMissingNode()) {
            return "; write it as " + first.asString();
        }
        boolean hasKeys = !rule.path("properties").isMissingNode();
        return hasKeys ? "; use " + or(List.copyOf(rule.path("properties").propertyNames())) : "";
    }

    /// What the readers of units say, which know more than a pattern does.
    private static String refusal(JsonNode rule, String text) {
        @Nullable String told = null;
        try {
            switch (rule.path("title").asString("")) {
                case "size" -> Units.bytes(text);
                case "time" -> Units.ps(text);
                case "rate" -> Units.rate(text);
                case "length" -> Units.metres(text);
                case "ratio" -> Units.ratio(text);
                default -> {}
            }
        } catch (IllegalArgumentException wrong) {
            told = wrong.getMessage();
        }
        if (told != null) {
            return told;
        }
        String write =
                rule.has("examples")
                        ? "write it as " + or(strings(rule.path("examples")))
                        : "use up to 20 letters, digits, - and _, a letter first";
        return "'%s' does not fit; %s".formatted(text, write);
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    private static String range(JsonNode rule) {
        List<String> ends = new ArrayList<>();
        add(ends, rule, "minimum", "%s or more");
        add(ends, rule, "exclusiveMinimum", "more than %s");
        add(ends, rule, "maximum", "at most %s");
        add(ends, rule, "exclusiveMaximum", "less than %s");
        return String.join(", ", ends);
    }

    private static void add(List<String> to, JsonNode rule, String key, String form) {
        if (rule.has(key)) {
            to.add(form.formatted(rule.path(key).asString()));
        }
    }

    static String or(List<String> words) {
        return join(words, " or ");
    }

    static String and(List<String> words) {
        return join(words, " and ");
    }

    private static String join(List<String> words, String last) {
        int end = words.size() - 1;
        return words.size() < 2
                ? String.join("", words)
                : String.join(", ", words.subList(0, end)) + last + words.get(end);
    }

    /// Names of the keys of an object.
    static List<String> keys(JsonNode object) {
        return StreamSupport.stream(object.propertyNames().spliterator(), false)
                .collect(Collectors.toList());
    }
}
