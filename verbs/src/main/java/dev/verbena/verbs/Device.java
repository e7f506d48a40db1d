package dev.verbena.verbs;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// One RDMA device: a NIC, a UDP socket with the same functions, or a port of a simulated fabric.
///
/// Closing the device closes all objects created from it.
public interface Device extends AutoCloseable {
    String name();

    /// A short description of how the device works on this machine, and the reason; empty when
    /// there is nothing to report.
    default String description() {
        return "";
    }

    /// The limits of the device.
    DeviceLimits limits();

    /// Ports are numbered from 1.
    PortAttributes port(int number);

    /// The addresses of a port; a [QueuePair] uses the first one by default.
    List<Gid> gids(int port);

    /// The partition keys of a port; queue pairs refer to them by index.
    List<Integer> partitionKeys(int port);

    /// All counters with their current values. The names are those of Linux `hw_counters` where
    /// Linux has such a counter.
    SortedMap<String, Long> counters();

    ProtectionDomain protectionDomain();

    /// Creates a completion queue for at least this many completions.
    CompletionQueue completionQueue(int capacity);

    /// The oldest asynchronous event that was not polled yet, or null.
    @Nullable AsyncEvent pollEvent();

    /// Lets the device work once on the caller's thread; returns whether it did any work.
    ///
    /// Polling a completion queue has the same effect. Only the passive side of one-sided
    /// operations needs this call, and only when the device has no thread of its own.
    boolean progress();

    /// Listens on a port for peers that connect (rdma_cm's TCP port space).
    ///
    /// @param port 0 for any free one, which [Listener#port] tells
    /// @param backlog the number of requests that may wait
    /// @throws InvalidRequestException when a listener for this port already exists
    /// @throws UnsupportedException when the device does not manage connections
    default Listener listen(int port, int backlog) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// Connects a queue pair to the listener on a port of the peer. Returns at once; wait with
    /// [Connection#await].
    ///
    /// @param queuePair in INIT, with the receives posted that the peer expects
    /// @param address the address of the peer
    /// @param privateData up to 56 bytes for the peer's program
    /// @throws UnsupportedException when the device does not manage connections
    default Connection connect(
            QueuePair queuePair, Address address, int port, byte... privateData) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// The same with the peer's address and port as the JDK has them.
    default Connection connect(QueuePair queuePair, InetSocketAddress peer, byte... privateData) {
        return connect(queuePair, Address.to(Gid.of(peer)), peer.getPort(), privateData);
    }

    /// Listens for peers that ask which datagram queue pair serves a port (rdma_cm's UDP port
    /// space, which is separate from the ports of [#listen]).
    ///
    /// @param port 0 for any free one, which [DatagramListener#port] tells
    /// @param backlog the number of requests that may wait
    /// @throws InvalidRequestException when a listener for this port already exists
    /// @throws UnsupportedException when the device does not manage connections
    default DatagramListener listenForDatagrams(int port, int backlog) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// Asks a peer which of its datagram queue pairs serves a port. Returns at once; wait with
    /// [Resolution#await].
    ///
    /// @param address the address of the peer
    /// @param privateData up to 180 bytes for the peer's program
    /// @throws UnsupportedException when the device does not manage connections
    default Resolution resolve(Address address, int port, byte... privateData) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// The same with the peer's address and port as the JDK has them.
    default Resolution resolve(InetSocketAddress peer, byte... privateData) {
        return resolve(Address.to(Gid.of(peer)), peer.getPort(), privateData);
    }

    @Override
    void close();
}
