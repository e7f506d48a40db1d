package dev.verbena.fabric;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Messages without acknowledgements: packets at line rate one way, and none the other way.
final class Stream {
    private static final long MEMORY = 1L << 30;

    private final Fabric fabric;
    private final Consumer<TransportOptions> options;
    private final Map<Integer, Side> sides = new HashMap<>();

    Stream(Fabric fabric) {
        this(fabric, options -> {});
    }

    Stream(Fabric fabric, Consumer<TransportOptions> options) {
        this.fabric = fabric;
        this.options = options;
    }

    /// Sends so many packets at a time, in a service level.
    void send(int from, int to, int level, int packets, long startPs) {
        Side source = side(from);
        Side target = side(to);
        QueuePair sender = source.pair(QueuePairType.UC);
        QueuePair receiver = target.pair(QueuePairType.UC);
        sender.connect(receiver.endpoint(), it -> it.address(at(receiver.endpoint(), level)));
        receiver.connect(sender.endpoint(), it -> it.address(at(sender.endpoint(), level)));
        long bytes = (long) packets * Anchor.PAYLOAD;
        fabric.at(
                startPs,
                () ->
                        sender.sends()
                                .write(
                                        source.memory.slice(0, bytes),
                                        target.memory.remote().slice(0, bytes))
                                .post());
    }

    /// Reads so many packets at a time; they come from the one that is read.
    void read(int reader, int from, int packets, long startPs) {
        Side target = side(reader);
        Side source = side(from);
        QueuePair here = target.pair(QueuePairType.RC);
        QueuePair there = source.pair(QueuePairType.RC);
        here.connect(there.endpoint());
        there.connect(here.endpoint());
        long bytes = (long) packets * Anchor.PAYLOAD;
        fabric.at(
                startPs,
                () ->
                        here.sends()
                                .read(
                                        target.memory.slice(0, bytes),
                                        source.memory.remote().slice(0, bytes))
                                .post());
    }

    private static Address at(Endpoint peer, int level) {
        return new Address(peer.lid(), peer.gid(), level, 0, 0, 64, 0, peer.udpPort());
    }

    private Side side(int host) {
        return sides.computeIfAbsent(host, number -> new Side(fabric.open(number, options)));
    }

    private static final class Side {
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion memory;

        Side(TransportDevice device) {
            domain = device.protectionDomain();
            completions = device.completionQueue(16);
            memory =
                    PhantomMemory.in(
                            domain,
                            MEMORY,
                            Access.LOCAL_WRITE,
                            Access.REMOTE_WRITE,
                            Access.REMOTE_READ);
        }

        QueuePair pair(QueuePairType type) {
            Access right = type == QueuePairType.RC ? Access.REMOTE_READ : Access.REMOTE_WRITE;
            return domain.queuePair(
                    type,
                    it ->
                            it.completions(completions)
                                    .access(Set.of(right))
                                    .sendDepth(4)
                                    .receiveDepth(1));
        }
    }
}
