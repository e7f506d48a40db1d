package dev.verbena.transport.work;

import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.EventQueue;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.verbs.spi.ObjectRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The shared receive queues of a device that are open.
public final class SharedReceivesTable {
    final DeviceLife device;
    final WorkHolds holds;
    final BatchPool batches;
    final EventQueue events;
    private final DeviceLimits limits;
    private final Set<TransportSharedReceives> queues = new LinkedHashSet<>(1);
    private int made;

    public SharedReceivesTable(
            DeviceLife device,
            DeviceLimits limits,
            WorkHolds holds,
            BatchPool batches,
            EventQueue events) {
        this.device = device;
        this.limits = limits;
        this.holds = holds;
        this.batches = batches;
        this.events = events;
    }

    /// One of this device's that can still be used; null for none.
    public @Nullable TransportSharedReceives own(@Nullable SharedReceiveQueue queue) {
        if (queue == null) {
            return null;
        }
        if (queue instanceof TransportSharedReceives ours && ours.isOf(this)) {
            ours.requireOpen();
            return ours;
        }
        throw ObjectRules.foreign(device.name, queue);
    }

    public TransportSharedReceives create(ProtectionDomain domain, int depth) {
        Depths.requireSharedQueue(device.name, depth, limits.workRequests());
        if (queues.size() == limits.sharedReceiveQueues()) {
            throw new LimitExceededException(
                    device.name,
                    "it holds " + queues.size() + " shared receive queues already",
                    "close some, or let more queue pairs share one");
        }
        TransportSharedReceives queue = new TransportSharedReceives(this, domain, ++made, depth);
        queues.add(queue);
        return queue;
    }

    void remove(TransportSharedReceives queue) {
        queues.remove(queue);
    }

    public void closeAll() {
        List.copyOf(queues).forEach(TransportSharedReceives::close);
    }
}
