package dev.verbena.job.chakra;

import dev.verbena.job.chakra.ProtoMessage.MalformedException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a simulation needs of one node.
final class ChakraNode {
    static final int INVALID = 0;
    static final int METADATA = 1;
    static final int MEMORY_LOAD = 2;
    static final int MEMORY_STORE = 3;
    static final int COMPUTE = 4;
    static final int SEND = 5;
    static final int RECEIVE = 6;
    static final int COLLECTIVE = 7;

    /// The attributes that matter; others are not kept.
    private static final Set<String> NAMES =
            Set.of(
                    "comm_type",
                    "comm_size",
                    "comm_src",
                    "comm_dst",
                    "comm_tag",
                    "pg_name",
                    "is_cpu_op");

    long id;
    long type;
    long durationMicros;
    long[] dependencies = new long[4];
    int dependencyCount;
    String inputs = "";
    private final Map<String, ChakraAttribute> attributes = new HashMap<>(8);

    private ChakraNode() {}

    static ChakraNode read(ProtoMessage message) throws MalformedException {
        ChakraNode node = new ChakraNode();
        while (message.next()) {
            switch (message.field()) {
                case 1 -> node.id = message.number();
                case 3 -> node.type = message.number();
                case 4, 5 -> message.numbers(node::after);
                case 7 -> node.durationMicros = message.number();
                case 8 -> node.inputs = values(message.message());
                case 10 -> node.add(ChakraAttribute.read(message.message()));
                default -> message.skip();
            }
        }
        return node;
    }

    private void after(long other) {
        if (dependencyCount == dependencies.length) {
            dependencies = Arrays.copyOf(dependencies, 2 * dependencyCount);
        }
        dependencies[dependencyCount++] = other;
    }

    private static String values(ProtoMessage inputs) throws MalformedException {
        String values = "";
        while (inputs.next()) {
            if (inputs.field() == 1) {
                values = inputs.text();
            } else {
                inputs.skip();
            }
        }
        return values;
    }

    private void add(ChakraAttribute attribute) {
        if (attribute.isKnown() && NAMES.contains(attribute.name())) {
            attributes.put(attribute.name(), attribute);
        }
    }

    /// The attribute of a name, or null.
    @Nullable ChakraAttribute attribute(String name) {
        return attributes.get(name);
    }

    long number(String name, long otherwise) {
        ChakraAttribute attribute = attributes.get(name);
        return attribute == null || attribute.text() != null ? otherwise : attribute.number();
    }
}
