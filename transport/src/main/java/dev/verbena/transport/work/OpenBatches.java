package dev.verbena.transport.work;

import org.jspecify.annotations.Nullable;

/// The batches that an owner of queues has handed out and not got back: one of each kind at most
/// for each thread.
public final class OpenBatches {
    private final BatchPool pool;
    private @Nullable TransportSendBatch sends;
    private @Nullable TransportReceiveBatch receives;

    public OpenBatches(BatchPool pool) {
        this.pool = pool;
    }

    /// An empty batch; one that the same thread left unposted is given up.
    public TransportSendBatch sends(SendOwner pair) {
        TransportSendBatch left = (TransportSendBatch) TransportBatch.ofThisThread(sends);
        if (left != null) {
            left.abort();
        }
        TransportSendBatch batch = pool.sends(pair);
        batch.older = sends;
        sends = batch;
        return batch;
    }

    /// An empty batch; one that the same thread left unposted is given up.
    public TransportReceiveBatch receives(ReceiveOwner owner) {
        TransportReceiveBatch left = (TransportReceiveBatch) TransportBatch.ofThisThread(receives);
        if (left != null) {
            left.abort();
        }
        TransportReceiveBatch batch = pool.receives(owner);
        batch.older = receives;
        receives = batch;
        return batch;
    }

    void closed(TransportSendBatch batch) {
        sends = (TransportSendBatch) TransportBatch.without(sends, batch);
        pool.back(batch);
    }

    void closed(TransportReceiveBatch batch) {
        receives = (TransportReceiveBatch) TransportBatch.without(receives, batch);
        pool.back(batch);
    }

    /// Gives up what is open, for its owner ends.
    public void orphan() {
        orphan(sends);
        orphan(receives);
        sends = null;
        receives = null;
    }

    private static void orphan(@Nullable TransportBatch<?> newest) {
        for (var batch = newest; batch != null; batch = batch.older) {
            batch.orphan();
        }
    }
}
