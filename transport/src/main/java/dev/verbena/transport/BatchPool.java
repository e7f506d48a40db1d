package dev.verbena.transport;

import java.util.ArrayDeque;

/// Batches that are not in use: one for each queue pair that is being posted to, not one for each
/// queue pair.
final class BatchPool {
    private final Engine engine;
    private final ArrayDeque<TransportSendBatch> sends = new ArrayDeque<>(1);
    private final ArrayDeque<TransportReceiveBatch> receives = new ArrayDeque<>(1);

    BatchPool(Engine engine) {
        this.engine = engine;
    }

    TransportSendBatch sends(TransportQueuePair pair) {
        TransportSendBatch batch = sends.pollLast();
        if (batch == null) {
            batch = new TransportSendBatch(engine);
        }
        batch.open(pair);
        return batch;
    }

    TransportReceiveBatch receives(ReceiveOwner owner) {
        TransportReceiveBatch batch = receives.pollLast();
        if (batch == null) {
            batch = new TransportReceiveBatch(engine);
        }
        batch.open(owner);
        return batch;
    }

    void back(TransportSendBatch batch) {
        sends.addLast(batch);
    }

    void back(TransportReceiveBatch batch) {
        receives.addLast(batch);
    }
}
