package dev.verbena.subnet.admin;

import dev.verbena.subnet.state.Partitions;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.Pkey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The partition keys of ports, by the partitions in force.
final class Keys {
    private final SubnetState state;
    private final SubnetView view;
    private final Map<Long, List<Integer>> byGuid = new HashMap<>();
    private Partitions of = Partitions.NONE;

    Keys(SubnetState state, SubnetView view) {
        this.state = state;
        this.view = view;
    }

    List<Integer> of(int vertex) {
        Partitions now = state.partitions();
        if (now.isNone()) {
            return List.of(Pkey.DEFAULT_FULL);
        }
        if (!now.equals(of) || byGuid.size() > 2 * view.vertices()) {
            byGuid.clear();
            of = now;
        }
        return byGuid.computeIfAbsent(
                view.guid(vertex), _ -> List.copyOf(now.keys(view.member(vertex))));
    }

    /// The key of a port that lets it talk to another one; 0: none does.
    ///
    /// @param wanted a key that it is to be like, or 0
    int common(int vertex, int other, int wanted) {
        for (int key : of(vertex)) {
            boolean isWanted = wanted == 0 || (key & 0x7FFF) == (wanted & 0x7FFF);
            for (int far : of(other)) {
                if (isWanted && Pkey.match(key, far)) {
                    return key;
                }
            }
        }
        return 0;
    }

    /// Whether a port is in the partition of a key.
    boolean has(int vertex, int wanted) {
        return of(vertex).stream().anyMatch(it -> Pkey.match(it, wanted | 0x8000));
    }
}
