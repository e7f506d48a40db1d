package dev.verbena.fabric;

import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/// Values that a sender computes once for a path.
final class Route {
    private static final int MIX = 0x9E37_79B1;

    final Path path;
    final Nic from;

    /// The NIC at its end; null if there is none, or for a group.
    final @Nullable Nic to;

    final Address address;
    final boolean isGlobal;

    /// The priority or service level.
    final int level;

    Route(Path path, Nic from, @Nullable Nic to) {
        this.path = path;
        this.from = from;
        this.to = to;
        address = path.address();
        isGlobal = !address.gid().equals(Gid.NONE);
        level = path.trafficClass();
    }

    /// The number of the host that packets go to.
    int destination() {
        return to == null ? -1 : to.number();
    }

    /// Distinguishes connections between the same hosts, as the source port of UDP does; Linux
    /// computes that port from both queue pair numbers.
    int entropy(int ownPair, int peerPair) {
        int flow = address.flowLabel() != 0 ? address.flowLabel() : ownPair * 31 + peerPair;
        int mixed = (from.number() * MIX) ^ Integer.rotateLeft(destination() * MIX, 13);
        mixed = (mixed ^ flow) * MIX;
        return mixed ^ (mixed >>> 15);
    }
}
