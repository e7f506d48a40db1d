package dev.verbena.roce;

import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.IcrcPseudoHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// All that a sender needs for one path.
final class Route {
    private static final int ECN_MASK = 3;

    private final Path path;
    private final Address address;
    final boolean isIpv4;

    /// The headers that the ICRC covers and the kernel writes.
    final IcrcPseudoHeader header = new IcrcPseudoHeader();

    /// The peer, for system calls.
    final MemorySegment socketAddress = Arena.ofAuto().allocate(SocketAddress.LENGTH_MAX, 8);

    final int socketAddressLength;

    /// Whether packets to this peer go one by one, because the system refused to cut a train up.
    boolean isSingle;

    /// The peer, for the JDK's channels.
    final InetSocketAddress peer;

    /// The routes of a device, each worked out once for its path.
    ///
    /// @param scope the interface of link-local addresses
    static PathCache<Route> cache(Datagrams datagrams, Gid source, int scope) {
        return new PathCache<>(
                path -> {
                    int port = datagrams.sourcePort(path.address().flowLabel());
                    return new Route(path, source, port, scope);
                });
    }

    Route(Path path, Gid source, int sourcePort, int scope) {
        this.path = path;
        address = path.address();
        Gid gid = address.gid();
        isIpv4 = gid.isIpv4();
        if (isIpv4) {
            header.setIpv4((int) source.low(), (int) gid.low(), sourcePort, address.udpPort());
        } else {
            header.setIpv6(wire(source), wire(gid), sourcePort, address.udpPort());
        }
        socketAddressLength = SocketAddress.put(socketAddress, gid, address.udpPort(), scope);
        InetAddress inet = gid.toInetAddress();
        peer = new InetSocketAddress(inet, address.udpPort());
    }

    static dev.verbena.wire.Gid wire(Gid gid) {
        return new dev.verbena.wire.Gid(gid.high(), gid.low());
    }

    Path path() {
        return path;
    }

    Gid gid() {
        return address.gid();
    }

    int flowLabel() {
        return address.flowLabel();
    }

    /// The traffic class of a packet with these congestion bits.
    int trafficClass(int ecn) {
        return (address.trafficClass() & ~ECN_MASK) | ecn;
    }

    int hopLimit() {
        return address.hopLimit();
    }
}
