package dev.verbena.transport.path;

import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.Places;
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
public final class PathTable {
    private final DeviceSettings settings;
    private final Map<Address, Path> byAddress = new HashMap<>(2);
    private final Places places = new Places(Integer.MAX_VALUE);
    private @Nullable Path[] paths = new Path[1];
    private int[] users = new int[1];
    private int handles;

    public PathTable(DeviceSettings settings) {
        this.settings = settings;
    }

    /// The path of an address, with one user more.
    public Path acquire(Address address) {
        Path known = byAddress.get(address);
        if (known != null) {
            users[known.index()]++;
            return known;
        }
        Gid source = settings.port.now().gid(address.sourceGid());
        int index = places.take();
        Path path = path(index, address, source);
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

    private Path path(int index, Address address, Gid source) {
        return switch (settings.port.now().attributes().linkLayer()) {
            case INFINIBAND -> new Path.InfiniBand(index, address, source);
            case ETHERNET -> new Path.Roce(index, address, source, settings.priorities.of(address));
        };
    }

    /// The GIDs of the port have changed: who asks for a path now gets one with the new ones.
    public void renew() {
        byAddress.clear();
    }

    /// One user more of a path that is in use.
    public void hold(int index) {
        users[index]++;
    }

    public void release(int index) {
        if (--users[index] == 0) {
            Path ended = at(index);
            byAddress.remove(ended.address(), ended);
            paths[index] = null;
            places.give(index);
        }
    }

    /// A path that is in use.
    public Path at(int index) {
        return Objects.requireNonNull(paths[index], "a path in use is held");
    }

    /// Paths in use.
    public int size() {
        return places.used();
    }

    public void addHandle() {
        if (handles == settings.limits.addressHandles()) {
            throw new LimitExceededException(
                    settings.name,
                    "it holds " + handles + " address handles already",
                    "close some: one serves all queue pairs of a peer");
        }
        handles++;
    }

    void removeHandle() {
        handles--;
    }
}
