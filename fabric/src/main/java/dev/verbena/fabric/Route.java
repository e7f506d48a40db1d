package dev.verbena.fabric;

import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/// Values that a sender computes once for a path.
final class Route {
    static final int NOWHERE = -1;

    private static final int MIX = 0x9E37_79B1;

    final Path path;
    final Nic from;

    /// What switches forward by: the destination LID on InfiniBand, else the number of the host
    /// that has the address, or that of a group behind them, see [Multicast]; [#NOWHERE] when
    /// packets could not leave.
    final int destination;

    final Address address;
    final boolean isGlobal;
    final boolean isGroup;

    /// The priority or service level.
    final int level;

    /// Where packets of TCP go; null for those of the transport.
    final @Nullable TcpEnd tcp;

    /// The group of a packet that switches combine; null for all others.
    final @Nullable ReductionGroup reduction;

    Route(Path path, Nic from, int destination) {
        this(path, from, destination, null, null);
    }

    Route(Path path, Nic from, int destination, @Nullable TcpEnd tcp) {
        this(path, from, destination, tcp, null);
    }

    Route(Path path, Nic from, ReductionGroup reduction) {
        this(path, from, Reductions.DESTINATION, null, reduction);
    }

    private Route(
            Path path,
            Nic from,
            int destination,
            @Nullable TcpEnd tcp,
            @Nullable ReductionGroup reduction) {
        this.tcp = tcp;
        this.reduction = reduction;
        this.path = path;
        this.from = from;
        this.destination = destination;
        address = path.address();
        isGlobal = !address.gid().equals(Gid.NONE);
        isGroup = address.gid().isMulticast();
        level = path.trafficClass();
    }

    /// Distinguishes connections between the same hosts, as the source port of UDP does; Linux
    /// computes that port from both queue pair numbers.
    int entropy(int ownPair, int peerPair) {
        int flow = address.flowLabel() != 0 ? address.flowLabel() : flow(ownPair, peerPair);
        return entropy(from.number(), destination, flow);
    }

    private static int flow(int ownPair, int peerPair) {
        return ownPair * 31 + peerPair;
    }

    /// The same for a connection without a flow label.
    static int entropy(int from, int destination, int ownPair, int peerPair) {
        return entropy(from, destination, flow(ownPair, peerPair));
    }

    private static int entropy(int from, int destination, int flow) {
        int mixed = (from * MIX) ^ Integer.rotateLeft(destination * MIX, 13);
        mixed = (mixed ^ flow) * MIX;
        return mixed ^ (mixed >>> 15);
    }
}
