package dev.verbena.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One end of a TCP connection. It has a packet when it wants to, and its NIC takes it when there
/// is room at the port.
abstract class TcpEnd {
    final NicTcp tcp;
    private final int port;
    private @Nullable Route route;
    private int entropy;
    private long deadlinePs = EventQueue.NEVER;

    /// The end behind it among those with packets; its NIC's.
    @Nullable TcpEnd following;

    boolean isQueued;

    TcpEnd(NicTcp tcp, int port) {
        this.tcp = tcp;
        this.port = port;
    }

    /// Says where its packets go, before there are any.
    final void connect(Route way, TcpEnd peer) {
        route = way;
        entropy = way.entropy(port, peer.port);
    }

    final Route route() {
        return Objects.requireNonNull(route, "an end is connected before it sends");
    }

    /// The end that its packets go to.
    final TcpEnd peer() {
        return Objects.requireNonNull(route().tcp, "packets of TCP go to TCP");
    }

    /// The same in all packets, so that they go one way.
    final int entropy() {
        return entropy;
    }

    final Nic nic() {
        return tcp.nic();
    }

    /// The number of its port, as TCP has them.
    final int port() {
        return port;
    }

    final long deadlinePs() {
        return deadlinePs;
    }

    /// Sets its timer.
    final void deadline(long timePs) {
        deadlinePs = timePs;
        tcp.arm(timePs);
    }

    final void noDeadline() {
        deadlinePs = EventQueue.NEVER;
    }

    /// Whether it would send a packet now.
    abstract boolean hasPacket();

    /// Writes the header of the next packet; returns the bytes of its payload.
    abstract int write(MemorySegment headers, long at, long nowPs);

    /// A packet of the peer has come.
    abstract void arrived(MemorySegment headers, long at, int payloadBytes, long nowPs);

    /// The timer has expired; it is not set any more.
    abstract void expired(long nowPs);
}
