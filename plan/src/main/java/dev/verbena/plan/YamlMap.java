package dev.verbena.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/// A mapping of a YAML text, of which each key is taken once and none may be left.
final class YamlMap {
    private final Yaml yaml;
    private final MappingNode node;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final Map<String, Boolean> taken = new LinkedHashMap<>();

    YamlMap(Yaml yaml, MappingNode node) {
        this.yaml = yaml;
        this.node = node;
        for (NodeTuple entry : node.getValue()) {
            String key = yaml.text(entry.getKeyNode(), "a key");
            if (values.put(key, entry.getValueNode()) != null) {
                throw yaml.bad(entry.getKeyNode(), "key \"" + key + "\" is there twice");
            }
            keys.put(key, entry.getKeyNode());
        }
    }

    /// All keys, in the order of the file.
    List<String> keys() {
        return List.copyOf(values.keySet());
    }

    @Nullable Node take(String key) {
        taken.put(key, true);
        return values.get(key);
    }

    Node need(String key) {
        Node value = take(key);
        if (value == null) {
            throw yaml.bad(node, "key \"%s\" is missing; add it".formatted(key));
        }
        return value;
    }

    String text(String key) {
        return yaml.text(need(key), key);
    }

    String text(String key, String usual) {
        Node value = take(key);
        return value == null ? usual : yaml.text(value, key);
    }

    /// Refuses keys that no code has asked for.
    void finish() {
        for (String key : values.keySet()) {
            if (!taken.containsKey(key)) {
                throw yaml.bad(
                        keys.getOrDefault(key, node),
                        "key \"%s\" is not known; use %s".formatted(key, Texts.or(taken.keySet())));
            }
        }
    }

    PlanException bad(String key, String what) {
        return yaml.bad(values.getOrDefault(key, node), key + ": " + what);
    }

    String place(String key) {
        return yaml.place(values.getOrDefault(key, node));
    }

    Yaml yaml() {
        return yaml;
    }
}
