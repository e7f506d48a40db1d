package dev.verbena.transport.work;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.SharedReceiveRules;
import org.jspecify.annotations.Nullable;

/// A receive queue that queue pairs take from in the order of their messages.
public final class TransportSharedReceives implements SharedReceiveQueue, ReceiveOwner {
    private final SharedReceivesTable table;
    private final ProtectionDomain domain;
    private final GuardedEntry entry;
    private final WorkHolds holds;
    private final int number;
    private final int depth;
    private final WorkQueue queue;
    private int limit;
    private int users;
    private boolean closed;
    private @Nullable TransportBatch<?> newestBatch;

    TransportSharedReceives(
            SharedReceivesTable table, ProtectionDomain domain, int number, int depth) {
        this.table = table;
        this.domain = domain;
        this.entry = table.device.entry;
        this.holds = table.holds;
        this.number = number;
        this.depth = depth;
        this.queue = new WorkQueue(holds.work, depth);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public QueuePairType type() {
        return QueuePairType.RC;
    }

    boolean isOf(SharedReceivesTable other) {
        return table == other;
    }

    @Override
    public ReceiveBatch receives() {
        try (var _ = entry.enter()) {
            requireOpen();
            return table.batches.receives(this);
        }
    }

    @Override
    public int room() {
        try (var _ = entry.enter()) {
            return queue.room();
        }
    }

    @Override
    public int limit() {
        try (var _ = entry.enter()) {
            return limit;
        }
    }

    @Override
    public void limit(int requests) {
        try (var _ = entry.enter()) {
            requireOpen();
            SharedReceiveRules.requireLimit(this, requests, depth);
            limit = requests;
            checkLimit();
        }
    }

    @Override
    public WorkQueue receiveQueue() {
        return queue;
    }

    @Override
    public void checkReceives() {
        // It has no state that could forbid them.
    }

    @Override
    public void postReceives(int first, int last, int count) {
        queue.append(first, last, count);
    }

    @Override
    public @Nullable TransportBatch<?> newestBatch() {
        return newestBatch;
    }

    @Override
    public void newestBatch(@Nullable TransportBatch<?> batch) {
        newestBatch = batch;
    }

    /// The oldest request, for a message that came.
    public int take() {
        int slot = queue.take();
        checkLimit();
        return slot;
    }

    /// IBA 10.2.9.3: said once, then the limit is disarmed.
    private void checkLimit() {
        if (queue.count() < limit) {
            holds.counters.add(Counter.SHARED_LIMIT);
            table.events.add(
                    AsyncEvent.Type.SHARED_RECEIVE_LIMIT,
                    number,
                    SharedReceiveRules.underLimit(this, queue.count(), limit));
            limit = 0;
        }
    }

    public void use() {
        users++;
    }

    public void unuse() {
        users--;
        retireIfUnused();
    }

    @Override
    public void close() {
        try (var _ = entry.enter()) {
            if (!closed) {
                table.batches.orphan(this);
                closed = true;
                limit = 0;
                table.remove(this);
                retireIfUnused();
            }
        }
    }

    private void retireIfUnused() {
        if (closed && users == 0) {
            while (queue.count() > 0) {
                holds.retire(queue.remove());
            }
        }
    }

    @Override
    public void requireOpen() {
        table.device.requireOpen();
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return "srq " + number;
    }
}
