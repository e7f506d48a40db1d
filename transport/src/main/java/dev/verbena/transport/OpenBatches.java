package dev.verbena.transport;

import org.jspecify.annotations.Nullable;

/// The batches that an owner of queues has handed out and not got back: one of each kind at most.
final class OpenBatches {
    private final BatchPool pool;
    private @Nullable TransportSendBatch sends;
    private @Nullable TransportReceiveBatch receives;

    OpenBatches(BatchPool pool) {
        this.pool = pool;
    }

    /// An empty batch; one that was left unposted is given up.
    TransportSendBatch sends(TransportQueuePair pair) {
        if (sends != null) {
            sends.abort();
        }
        TransportSendBatch batch = pool.sends(pair);
        sends = batch;
        return batch;
    }

    /// An empty batch; one that was left unposted is given up.
    TransportReceiveBatch receives(ReceiveOwner owner) {
        if (receives != null) {
            receives.abort();
        }
        TransportReceiveBatch batch = pool.receives(owner);
        receives = batch;
        return batch;
    }

    void closed(TransportSendBatch batch) {
        sends = null;
        pool.back(batch);
    }

    void closed(TransportReceiveBatch batch) {
        receives = null;
        pool.back(batch);
    }

    /// Gives up what is open, for its owner ends.
    void orphan() {
        if (sends != null) {
            sends.orphan();
            sends = null;
        }
        if (receives != null) {
            receives.orphan();
            receives = null;
        }
    }
}
