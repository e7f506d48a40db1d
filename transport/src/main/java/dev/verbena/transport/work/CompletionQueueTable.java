package dev.verbena.transport.work;

import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.EventQueue;
import dev.verbena.transport.common.Notices;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.verbs.spi.ObjectRules;
import org.jspecify.annotations.Nullable;

/// The completion queues of a device that are open.
public final class CompletionQueueTable {
    final DeviceLife device;
    final Notices notices;
    final EventQueue events;
    final Counters counters;
    private final int most;
    private final int mostCompletions;
    private int open;
    private int made;
    private @Nullable TransportCompletionQueue newest;

    public CompletionQueueTable(
            DeviceLife device, DeviceSettings settings, EventQueue events, Counters counters) {
        this.device = device;
        this.notices = settings.notices;
        this.events = events;
        this.counters = counters;
        this.most = settings.limits.completionQueues();
        this.mostCompletions = settings.limits.completions();
    }

    public TransportCompletionQueue create(int capacity) {
        Depths.requireCompletionQueue(device.name, capacity, mostCompletions);
        if (open == most) {
            throw new LimitExceededException(
                    device.name,
                    "it holds " + open + " completion queues already",
                    "close some, or share one between queue pairs");
        }
        open++;
        newest = new TransportCompletionQueue(this, ++made, capacity, newest);
        return newest;
    }

    /// One of this device's that can still be used.
    public TransportCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof TransportCompletionQueue ours && ours.isOf(this)) {
            ours.requireOpen();
            ours.requireWhole();
            return ours;
        }
        throw ObjectRules.foreign(device.name, queue);
    }

    void closed(TransportCompletionQueue queue) {
        open--;
        if (queue == newest) {
            newest = queue.older();
        }
    }

    /// Lets all waiting threads look again.
    public void rouse() {
        for (var queue = newest; queue != null; queue = queue.older()) {
            queue.rouse();
        }
    }
}
