package dev.verbena.transport.work;

import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.verbs.DeviceLimits;
import java.util.ArrayDeque;

/// Batches that are not in use: one for each queue pair that is being posted to, not one for each
/// queue pair, and a few more.
///
/// The one that was given back last is used again last, after some others: a program that keeps a
/// batch after it was posted gets an exception, and does not fill the batch of another peer. One
/// that keeps it for longer than that cannot be known.
public final class BatchPool {
    /// Batches that wait before one of them is used again.
    private static final int WAITING = 4;

    final GuardedEntry entry;
    final WorkHolds holds;
    private final DeviceLimits limits;
    private final int mtu;
    private final ArrayDeque<TransportSendBatch> sends = new ArrayDeque<>(1);
    private final ArrayDeque<TransportReceiveBatch> receives = new ArrayDeque<>(1);

    public BatchPool(GuardedEntry entry, WorkHolds holds, DeviceLimits limits, int mtu) {
        this.entry = entry;
        this.holds = holds;
        this.limits = limits;
        this.mtu = mtu;
    }

    WorkChain chain() {
        return new WorkChain(holds, limits, mtu);
    }

    /// An empty batch; one that the same thread left unposted is given up.
    public TransportSendBatch sends(SendOwner owner) {
        if (TransportBatch.leftBy(owner, true) instanceof TransportSendBatch left) {
            left.abort();
        }
        TransportSendBatch batch =
                sends.size() > WAITING ? sends.removeFirst() : new TransportSendBatch(this);
        batch.open(owner);
        return batch;
    }

    /// An empty batch; one that the same thread left unposted is given up.
    public TransportReceiveBatch receives(ReceiveOwner owner) {
        if (TransportBatch.leftBy(owner, false) instanceof TransportReceiveBatch left) {
            left.abort();
        }
        TransportReceiveBatch batch =
                receives.size() > WAITING
                        ? receives.removeFirst()
                        : new TransportReceiveBatch(this);
        batch.open(owner);
        return batch;
    }

    void back(TransportSendBatch batch) {
        sends.addLast(batch);
    }

    void back(TransportReceiveBatch batch) {
        receives.addLast(batch);
    }

    /// Gives up what is open, for its owner ends.
    public void orphan(WorkOwner owner) {
        for (var batch = owner.newestBatch(); batch != null; batch = batch.older()) {
            batch.orphan();
        }
        owner.newestBatch(null);
    }
}
