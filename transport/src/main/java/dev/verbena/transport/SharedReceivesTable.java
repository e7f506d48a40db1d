package dev.verbena.transport;

import dev.verbena.verbs.LimitExceededException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The shared receive queues of a device that are open.
final class SharedReceivesTable {
    private final TransportOptions options;
    private final Set<TransportSharedReceives> queues = new LinkedHashSet<>(1);
    private int made;

    SharedReceivesTable(TransportOptions options) {
        this.options = options;
    }

    TransportSharedReceives create(TransportDomain domain, int depth) {
        int most = options.limits.workRequests();
        if (depth < 1 || depth > most) {
            throw new LimitExceededException(
                    options.name,
                    "no shared receive queue of " + depth + " requests",
                    "use 1 to " + most);
        }
        if (queues.size() == options.limits.sharedReceiveQueues()) {
            throw new LimitExceededException(
                    options.name,
                    "it holds " + queues.size() + " shared receive queues already",
                    "close some, or let more queue pairs share one");
        }
        TransportSharedReceives queue = new TransportSharedReceives(domain, ++made, depth);
        queues.add(queue);
        return queue;
    }

    void remove(TransportSharedReceives queue) {
        queues.remove(queue);
    }

    void closeAll() {
        List.copyOf(queues).forEach(TransportSharedReceives::close);
    }
}
