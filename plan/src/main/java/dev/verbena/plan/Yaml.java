package dev.verbena.plan;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// A YAML text as nodes, with the place of each; built with limits, and never into objects.
final class Yaml {
    static final int CHARACTERS_MAX = 1 << 20;
    private static final int DEPTH_MAX = 20;

    private final String file;

    private Yaml(String file) {
        this.file = file;
    }

    /// The mapping that a text is.
    static YamlMap read(String file, String text) {
        Yaml yaml = new Yaml(file);
        if (text.length() > CHARACTERS_MAX) {
            throw new PlanException(
                    "%s: it has %,d characters; use at most %,d"
                            .formatted(file, text.length(), CHARACTERS_MAX));
        }
        Optional<Node> root = yaml.compose(text);
        if (root.isEmpty()) {
            throw new PlanException(file + ": it is empty; see docs/planning.md for the keys");
        }
        yaml.check(root.get());
        return yaml.map(root.get(), "the file");
    }

    private Optional<Node> compose(String text) {
        // No aliases: nothing here needs them, and nested ones are how small files grow large.
        LoadSettings settings =
                LoadSettings.builder()
                        .setLabel(file)
                        .setAllowDuplicateKeys(false)
                        .setAllowRecursiveKeys(false)
                        .setMaxAliasesForCollections(0)
                        .setCodePointLimit(CHARACTERS_MAX)
                        .build();
        try {
            checkDepth(settings, text);
            return new Composer(settings, parser(settings, text)).getSingleNode();
        } catch (MarkedYamlEngineException wrong) {
            String place =
                    wrong.getProblemMark()
                            .map(at -> ":%d:%d".formatted(at.getLine() + 1, at.getColumn() + 1))
                            .orElse("");
            throw new PlanException(
                    "%s%s: this is no YAML: %s"
                            .formatted(file, place, oneLine(wrong.getProblem())));
        } catch (YamlEngineException wrong) {
            throw new PlanException(
                    "%s: this is no YAML: %s".formatted(file, oneLine(wrong.getMessage())));
        }
    }

    private static String oneLine(@Nullable String text) {
        return text == null ? "unreadable" : text.replaceAll("\\s+", " ").strip();
    }

    private static ParserImpl parser(LoadSettings settings, String text) {
        return new ParserImpl(settings, new StreamReader(settings, text));
    }

    /// Before the nodes are made, which is done by recursion; events come one by one.
    private void checkDepth(LoadSettings settings, String text) {
        int depth = 0;
        ParserImpl events = parser(settings, text);
        while (events.hasNext()) {
            Event event = events.next();
            depth += event instanceof CollectionStartEvent ? 1 : 0;
            depth -= event instanceof CollectionEndEvent ? 1 : 0;
            if (depth > DEPTH_MAX) {
                int line = event.getStartMark().map(at -> at.getLine() + 1).orElse(1);
                throw new PlanException(
                        "%s:%d: it is nested deeper than %d levels; use fewer"
                                .formatted(file, line, DEPTH_MAX));
            }
        }
    }

    /// Refuses anchors, which only aliases need, and tags.
    private void check(Node node) {
        if (node.getAnchor().isPresent()) {
            throw bad(node, "anchors are not read; write the value out");
        }
        switch (node) {
            case MappingNode map -> {
                for (NodeTuple entry : map.getValue()) {
                    check(entry.getKeyNode());
                    check(entry.getValueNode());
                }
            }
            case SequenceNode list -> list.getValue().forEach(this::check);
            default -> {}
        }
    }

    YamlMap map(Node node, String what) {
        if (node instanceof MappingNode map) {
            return new YamlMap(this, map);
        }
        throw bad(node, what + " has keys and values, as in \"gpus: 512\"");
    }

    /// The things of a list; one thing alone is a list of one.
    List<Node> list(Node node) {
        return node instanceof SequenceNode list ? list.getValue() : List.of(node);
    }

    String text(Node node, String what) {
        if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
            String text = scalar.getValue().strip();
            // They would be printed.
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw bad(node, what + " has a control character; take it out");
            }
            return text;
        }
        throw bad(node, what + " is one word or number");
    }

    String place(Node node) {
        return node.getStartMark()
                .map(at -> "%s:%d:%d".formatted(file, at.getLine() + 1, at.getColumn() + 1))
                .orElse(file);
    }

    PlanException bad(Node node, String what) {
        return new PlanException(place(node) + ": " + what);
    }
}
