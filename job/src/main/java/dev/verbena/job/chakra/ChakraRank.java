package dev.verbena.job.chakra;

import dev.verbena.collectives.plan.Collective;
import dev.verbena.job.chakra.ProtoMessage.MalformedException;
import dev.verbena.job.replay.Budget;
import dev.verbena.job.replay.CollectiveCall;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.ScheduleBuilder;
import dev.verbena.job.replay.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes the schedule of one rank of its trace.
final class ChakraRank {
    private static final int CPU = 0;
    private static final int GPU = 1;
    private static final int NETWORK = 2;
    private static final int MEMORY = 3;

    /// What carries out nodes that take no time.
    private static final int NOTHING = 4;

    private static final long NS_PER_MICRO = 1000;

    /// By `comm_type`; a reduce-scatter in blocks is a reduce-scatter of equal parts.
    private static final List<Collective> TYPES =
            List.of(
                    Collective.ALL_REDUCE,
                    Collective.REDUCE,
                    Collective.ALL_GATHER,
                    Collective.GATHER,
                    Collective.SCATTER,
                    Collective.BROADCAST,
                    Collective.ALL_TO_ALL,
                    Collective.REDUCE_SCATTER,
                    Collective.REDUCE_SCATTER,
                    Collective.BARRIER);

    private final String file;
    private final int rank;
    private final ChakraGroups groups;
    private final ScheduleBuilder builder;
    private final Map<String, List<Integer>> own = new HashMap<>();

    /// By name, the index of a group in the job.
    private final Map<String, Integer> numbers = new HashMap<>();

    ChakraRank(String file, int rank, int ranks, ChakraGroups groups, Budget budget) {
        this.file = file;
        this.rank = rank;
        this.groups = groups;
        builder = new ScheduleBuilder(file, rank, ranks, "node", budget);
    }

    Schedule read(InputStream in) throws IOException {
        ChakraStream stream = ChakraStream.of(file, in);
        List<ChakraNode> nodes = new ArrayList<>();
        boolean isFirst = true;
        for (ProtoMessage message = stream.next(); message != null; message = stream.next()) {
            if (nodes.size() == Budget.NODES_MAX) {
                throw stream.wrong("more than the limit of %,d nodes".formatted(nodes.size()));
            }
            try {
                if (isFirst) {
                    metadata(message);
                    isFirst = false;
                } else {
                    nodes.add(ChakraNode.read(message));
                }
            } catch (MalformedException malformed) {
                throw new TraceException(stream.place() + ": " + malformed.getMessage(), malformed);
            }
        }
        if (isFirst) {
            throw new TraceException(file + ": it is empty");
        }
        // Of nodes that become ready at once the one with the smallest number starts first.
        nodes.sort(Comparator.comparing(it -> it.id, Long::compareUnsigned));
        return schedule(nodes);
    }

    /// The version and attributes of the whole trace, none of which a simulation needs.
    private static void metadata(ProtoMessage message) throws MalformedException {
        while (message.next()) {
            if (message.field() == 1) {
                message.text();
            } else {
                message.message();
            }
        }
    }

    private Schedule schedule(List<ChakraNode> nodes) {
        Map<Long, Integer> indexes = HashMap.newHashMap(nodes.size());
        for (ChakraNode node : nodes) {
            if (node.type == ChakraNode.METADATA) {
                own.putAll(groups.ofMetadata(place(node), node.inputs));
            }
        }
        for (ChakraNode node : nodes) {
            if (indexes.putIfAbsent(node.id, indexes.size()) != null) {
                throw builder.wrong(node.id, "a node of that number is there already");
            }
            add(node);
        }
        for (int i = 0; i < nodes.size(); i++) {
            ChakraNode node = nodes.get(i);
            for (int k = 0; k < node.dependencyCount; k++) {
                Integer other = indexes.get(node.dependencies[k]);
                if (other == null) {
                    throw builder.wrong(
                            node.id,
                            "it waits for node %s, and there is none"
                                    .formatted(Long.toUnsignedString(node.dependencies[k])));
                }
                builder.afterFinish(i, other);
            }
        }
        return builder.build();
    }

    private String place(ChakraNode node) {
        return "%s, rank %d, node %s".formatted(file, rank, Long.toUnsignedString(node.id));
    }

    private void add(ChakraNode node) {
        switch (Math.clamp(node.type, -1, Integer.MAX_VALUE)) {
            case ChakraNode.INVALID, ChakraNode.METADATA -> builder.calc(0, NOTHING, node.id);
            case ChakraNode.MEMORY_LOAD, ChakraNode.MEMORY_STORE ->
                    builder.calc(durationNs(node), MEMORY, node.id);
            case ChakraNode.COMPUTE ->
                    builder.calc(
                            durationNs(node),
                            node.number("is_cpu_op", 0) != 0 ? CPU : GPU,
                            node.id);
            case ChakraNode.SEND -> {
                requireSelf(node, "comm_src");
                builder.send(bytes(node), peer(node, "comm_dst"), tag(node), NETWORK, 0, node.id);
            }
            case ChakraNode.RECEIVE -> {
                requireSelf(node, "comm_dst");
                builder.receive(
                        bytes(node), peer(node, "comm_src"), tag(node), NETWORK, 0, node.id);
            }
            case ChakraNode.COLLECTIVE -> collective(node);
            default ->
                    throw builder.wrong(
                            node.id,
                            "type %s: use 0 to 7".formatted(Long.toUnsignedString(node.type)));
        }
    }

    private long durationNs(ChakraNode node) {
        long micros = node.durationMicros;
        if (micros < 0 || micros > Budget.CALC_MAX_NS / NS_PER_MICRO) {
            throw builder.wrong(
                    node.id,
                    "%s us are too long: %,d are the most"
                            .formatted(
                                    Long.toUnsignedString(micros),
                                    Budget.CALC_MAX_NS / NS_PER_MICRO));
        }
        // As in ASTRA-sim: no calculation takes no time.
        return Math.max(1, micros * NS_PER_MICRO);
    }

    private long bytes(ChakraNode node) {
        return required(node, "comm_size");
    }

    private long required(ChakraNode node, String name) {
        ChakraAttribute attribute = node.attribute(name);
        if (attribute == null || attribute.text() != null) {
            throw builder.wrong(node.id, "it has no number as %s".formatted(name));
        }
        return attribute.number();
    }

    private int peer(ChakraNode node, String name) {
        long peer = required(node, name);
        if (peer < 0 || peer >= builder.ranks()) {
            throw builder.wrong(
                    node.id, "%s %d: use 0 to %d".formatted(name, peer, builder.ranks() - 1));
        }
        return (int) peer;
    }

    private int tag(ChakraNode node) {
        long tag = node.number("comm_tag", 0);
        if (tag < 0 || tag > Integer.MAX_VALUE) {
            throw builder.wrong(
                    node.id, "comm_tag %d: use 0 to %,d".formatted(tag, Integer.MAX_VALUE));
        }
        return (int) tag;
    }

    private void requireSelf(ChakraNode node, String name) {
        long self = node.number(name, rank);
        if (self != rank) {
            throw builder.wrong(
                    node.id, "%s %d, and this is the trace of rank %d".formatted(name, self, rank));
        }
    }

    private void collective(ChakraNode node) {
        long type = required(node, "comm_type");
        if (type < 0 || type >= TYPES.size()) {
            throw builder.wrong(
                    node.id, "comm_type %d: use 0 to %d".formatted(type, TYPES.size() - 1));
        }
        Collective operation = TYPES.get((int) type);
        ChakraAttribute attribute = node.attribute("pg_name");
        String name = attribute == null ? "" : attribute.value();
        List<Integer> group = group(node, name);
        long bytes = operation == Collective.BARRIER ? 0 : bytes(node);
        int root = root(node, group);
        builder.collective(
                new CollectiveCall(
                        operation,
                        numbers.computeIfAbsent(name, _ -> groups.number(group)),
                        bytes,
                        root),
                NETWORK,
                node.id);
    }

    /// The ranks of a group, of which this one is one.
    private List<Integer> group(ChakraNode node, String name) {
        List<Integer> group = groups.find(name, own);
        if (group == null) {
            throw builder.wrong(
                    node.id,
                    "no group has the name '%s': hand in a file of groups".formatted(shown(name)));
        }
        if (!numbers.containsKey(name) && !group.contains(rank)) {
            throw builder.wrong(
                    node.id, "group '%s' does not contain this rank".formatted(shown(name)));
        }
        return group;
    }

    private static String shown(String name) {
        return name.length() > 64 ? name.substring(0, 64) + "…" : name;
    }

    /// Operations with a root have it as `comm_src`; otherwise it is the first of the group.
    private int root(ChakraNode node, List<Integer> group) {
        if (node.attribute("comm_src") == null) {
            return 0;
        }
        int place = group.indexOf(peer(node, "comm_src"));
        if (place < 0) {
            throw builder.wrong(node.id, "comm_src is no rank of the group");
        }
        return place;
    }
}
