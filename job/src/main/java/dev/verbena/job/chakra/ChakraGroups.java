package dev.verbena.job.chakra;

import dev.verbena.job.replay.TraceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The groups of ranks that carry out collective operations: by name from a file beside the traces,
/// or by rank from a node of metadata.
public final class ChakraGroups {
    /// No name, or this one, stands for all ranks where nothing else says so.
    private static final String ALL = "0";

    private static final int MEMBERS_MAX = 1 << 22;

    private final int ranks;
    private final List<Integer> all;
    private final Map<String, List<Integer>> common = new HashMap<>();
    private final Map<List<Integer>, Integer> numbers = new HashMap<>();
    private final List<List<Integer>> groups = new ArrayList<>();
    private long members;

    /// All ranks of a job are the one group.
    public ChakraGroups(int ranks) {
        this.ranks = ranks;
        all = IntStream.range(0, ranks).boxed().toList();
    }

    /// Takes the groups of a file: `{"1": [0, 1], "2": [2, 3]}`.
    ///
    /// @param file its name, for messages
    public void add(String file, String json) {
        Object read;
        try {
            read = Json.read(json);
        } catch (IllegalArgumentException malformed) {
            throw new TraceException(file + ", " + malformed.getMessage(), malformed);
        }
        if (!(read instanceof Map<?, ?> byName)) {
            throw new TraceException(file + ": no object of lists of ranks");
        }
        byName.forEach((name, list) -> common.put(name.toString(), members(file, name, list)));
    }

    private List<Integer> members(String place, @Nullable Object name, @Nullable Object list) {
        if (!(list instanceof List<?> given)) {
            throw new TraceException("%s, group %s: no list of ranks".formatted(place, name));
        }
        members += given.size();
        if (members > MEMBERS_MAX) {
            throw new TraceException(
                    "%s, group %s: all groups have more than %,d ranks"
                            .formatted(place, name, MEMBERS_MAX));
        }
        Set<Integer> seen = new HashSet<>();
        List<Integer> members = new ArrayList<>();
        for (Object each : given) {
            if (!(each instanceof Long rank) || rank < 0 || rank >= ranks) {
                throw new TraceException(
                        "%s, group %s: there is no rank %s, use 0 to %d"
                                .formatted(place, name, each, ranks - 1));
            }
            if (!seen.add(rank.intValue())) {
                throw new TraceException(
                        "%s, group %s: rank %d is there twice".formatted(place, name, rank));
            }
            members.add(rank.intValue());
        }
        return List.copyOf(members);
    }

    /// The groups in the inputs of a node of metadata, a list of objects with `pg_name` and
    /// `ranks`; none where the inputs are something else. A list without ranks stands for all.
    Map<String, List<Integer>> ofMetadata(String place, String inputs) {
        int from = inputs.indexOf("[{");
        int until = inputs.lastIndexOf("}]");
        if (from < 0 || until < from || !inputs.contains("pg_name")) {
            return Map.of();
        }
        String text = inputs.substring(from, until + 2).replace("\\\"", "\"");
        Object read;
        try {
            read = Json.read(text);
        } catch (IllegalArgumentException malformed) {
            throw new TraceException(
                    "%s, list of groups, %s".formatted(place, malformed.getMessage()), malformed);
        }
        Map<String, List<Integer>> found = new HashMap<>();
        if (read instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> group && group.get("pg_name") != null) {
                    String name = String.valueOf(group.get("pg_name"));
                    List<Integer> ranks = members(place, name, group.get("ranks"));
                    found.put(name, ranks.isEmpty() ? all : ranks);
                }
            }
        }
        return found;
    }

    /// The ranks of a group.
    ///
    /// @param own groups of the rank that asks
    /// @return null where no group has that name
    @Nullable List<Integer> find(String name, Map<String, List<Integer>> own) {
        List<Integer> found = own.get(name);
        if (found == null) {
            found = common.get(name);
        }
        return found == null && (name.isEmpty() || name.equals(ALL)) ? all : found;
    }

    /// The index of a group in the job.
    int number(List<Integer> group) {
        Integer known = numbers.putIfAbsent(group, groups.size());
        if (known != null) {
            return known;
        }
        groups.add(group);
        return groups.size() - 1;
    }

    List<List<Integer>> groups() {
        return groups;
    }
}
