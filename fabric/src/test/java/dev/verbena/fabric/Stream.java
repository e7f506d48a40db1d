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
import java.util.function.Consumer;

/// Messages that nobody acknowledges: packets at line rate one way, and none the other way.
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
        QueuePair sender = source.pair();
        QueuePair receiver = target.pair();
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
            memory = domain.phantom(MEMORY, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        }

        QueuePair pair() {
            return domain.queuePair(
                    QueuePairType.UC,
                    it -> it.completions(completions).sendDepth(4).receiveDepth(1));
        }
    }
}
