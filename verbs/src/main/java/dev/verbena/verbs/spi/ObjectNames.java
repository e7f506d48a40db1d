package dev.verbena.verbs.spi;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;

/// Names of objects: their `toString`, with which messages begin.
public final class ObjectNames {
    private ObjectNames() {}

    /// A protection domain.
    public static String domain(int number) {
        return "protection domain " + number;
    }

    /// A memory region.
    public static String region(int number, long bytes) {
        return "region %d of %d bytes".formatted(number, bytes);
    }

    /// A memory window.
    public static String window(int number) {
        return "window " + number;
    }

    /// Of a completion, for a log.
    public static String completion(Completion it) {
        return "qp 0x%x: %s %d %s"
                .formatted(it.queuePair(), it.operation(), it.id(), it.status().title());
    }

    /// A connection of a queue pair.
    ///
    /// @param target the peer, with its port where that is known
    public static String connection(QueuePair pair, String target) {
        return "connection of " + pair + " to " + target;
    }

    /// A request of a peer that waits at a listener.
    public static String request(Gid peer, Object listener) {
        return "request of " + peer + " for " + listener;
    }

    /// A port for questions about datagram queue pairs.
    ///
    /// @param where a device, or the address of a peer
    public static String datagramPort(Object where, int port) {
        return where + " datagram port " + port;
    }

    /// A question for a datagram queue pair.
    ///
    /// @param target a [#datagramPort] of a peer
    public static String resolution(String target) {
        return "resolution of " + target;
    }
}
