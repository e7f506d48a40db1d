package dev.verbena.verbs;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// One RDMA device: a NIC, a UDP socket that behaves like one, or a port of a simulated fabric.
///
/// Closing it closes all that was made from it.
public interface Device extends AutoCloseable {
    String name();

    /// How it works on this machine, and why so, in a few words; empty where there is nothing to
    /// say.
    default String description() {
        return "";
    }

    /// What the device can hold at most.
    DeviceLimits limits();

    /// Ports are numbered from 1.
    PortAttributes port(int number);

    /// The addresses of a port; a [QueuePair] uses the first unless told otherwise.
    List<Gid> gids(int port);

    /// The partition keys of a port, by the index that queue pairs name.
    List<Integer> partitionKeys(int port);

    /// All counters by name, as they stand now. Names are those of Linux' `hw_counters` where such
    /// a counter exists there.
    SortedMap<String, Long> counters();

    ProtectionDomain protectionDomain();

    /// A queue for at least this many completions.
    CompletionQueue completionQueue(int capacity);

    /// The oldest asynchronous event not yet taken, or null.
    @Nullable AsyncEvent pollEvent();

    /// Lets the device work on the caller's thread, once; returns whether there was anything to do.
    ///
    /// Polling a completion queue does this too. Only the passive side of one-sided operations
    /// needs it, and only when the device has no thread of its own.
    boolean progress();

    /// Listens for peers that want to connect to a port (rdma_cm's TCP port space).
    ///
    /// @param backlog how many requests may wait
    /// @throws InvalidRequestException when somebody listens there already
    /// @throws UnsupportedException when the device does not manage connections
    default Listener listen(int port, int backlog) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// Connects a queue pair to whoever listens at a port. Returns at once; wait with
    /// [Connection#await].
    ///
    /// @param queuePair in INIT, with the receives posted that the peer counts on
    /// @param address where the peer is
    /// @param privateData up to 56 bytes for the peer's program
    /// @throws UnsupportedException when the device does not manage connections
    default Connection connect(
            QueuePair queuePair, Address address, int port, byte... privateData) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// Listens for peers that ask which datagram queue pair serves a port (rdma_cm's UDP port
    /// space, which has nothing to do with ports of [#listen]).
    ///
    /// @param backlog how many questions may wait
    /// @throws InvalidRequestException when somebody listens there already
    /// @throws UnsupportedException when the device does not manage connections
    default DatagramListener listenForDatagrams(int port, int backlog) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    /// Asks a peer which of its datagram queue pairs serves a port. Returns at once; wait with
    /// [Resolution#await].
    ///
    /// @param address where the peer is
    /// @param privateData up to 180 bytes for the peer's program
    /// @throws UnsupportedException when the device does not manage connections
    default Resolution resolve(Address address, int port, byte... privateData) {
        throw new UnsupportedException(
                name(), "it does not manage connections", "exchange endpoints instead");
    }

    @Override
    void close();
}
