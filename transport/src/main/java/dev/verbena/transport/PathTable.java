package dev.verbena.transport;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LimitExceededException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Interns the paths of a device, and removes unused ones: queue pairs, address handles and
/// datagrams in flight hold their paths.
final class PathTable {
    private final TransportOptions options;
    private final Map<Address, Path> byAddress = new HashMap<>(2);
    private final Places places = new Places(Integer.MAX_VALUE);
    private @Nullable Path[] paths = new Path[1];
    private int[] users = new int[1];
    private int handles;

    PathTable(TransportOptions options) {
        this.options = options;
    }

    /// The path of an address, with one user more.
    Path acquire(Address address) {
        Path known = byAddress.get(address);
        if (known != null) {
            users[known.index()]++;
            return known;
        }
        Gid source = options.gids.get(address.sourceGid());
        int index = places.take();
        Path path = Path.of(index, options, address, source);
        if (index >= paths.length) {
            int length = Places.grown(paths.length, index);
            paths = Arrays.copyOf(paths, length);
            users = Arrays.copyOf(users, length);
        }
        paths[index] = path;
        users[index] = 1;
        byAddress.put(address, path);
        return path;
    }

    /// One user more of a path that is in use.
    void hold(int index) {
        users[index]++;
    }

    void release(int index) {
        if (--users[index] == 0) {
            byAddress.remove(at(index).address());
            paths[index] = null;
            places.give(index);
        }
    }

    /// A path that is in use.
    Path at(int index) {
        return Objects.requireNonNull(paths[index], "a path in use is held");
    }

    /// Paths in use.
    int size() {
        return places.used();
    }

    void addHandle() {
        if (handles == options.limits.addressHandles()) {
            throw new LimitExceededException(
                    options.name,
                    "it holds " + handles + " address handles already",
                    "close some: one serves all queue pairs of a peer");
        }
        handles++;
    }

    void removeHandle() {
        handles--;
    }
}
