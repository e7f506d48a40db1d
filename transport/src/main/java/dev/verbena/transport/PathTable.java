package dev.verbena.transport;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import java.util.HashMap;
import java.util.Map;

/// Interns the paths of a device. Entries stay: there is one for each peer address ever used, and a
/// carrier may keep what it knows of it.
final class PathTable {
    private final TransportOptions options;
    private final Map<Address, Path> byAddress = new HashMap<>(2);

    PathTable(TransportOptions options) {
        this.options = options;
    }

    Path path(Address address) {
        Path known = byAddress.get(address);
        if (known != null) {
            return known;
        }
        Gid source = options.gids.get(address.sourceGid());
        Path path = Path.of(byAddress.size(), options.port.linkLayer(), address, source);
        byAddress.put(address, path);
        return path;
    }
}
