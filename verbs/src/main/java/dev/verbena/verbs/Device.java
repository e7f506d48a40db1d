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

    @Override
    void close();
}
