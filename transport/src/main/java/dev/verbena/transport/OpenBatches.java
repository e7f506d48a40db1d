package dev.verbena.transport;

import org.jspecify.annotations.Nullable;

/// The batches that an owner of queues has handed out and not got back: one of each kind at most
/// for each thread.
///
/// An owner uses its own batches again and no others': a program that keeps one after it was posted
/// may fill the next one by mistake, and that must not be the batch of another peer.
final class OpenBatches {
    private final Engine engine;
    private @Nullable TransportSendBatch sends;
    private @Nullable TransportReceiveBatch receives;
    private @Nullable TransportSendBatch spareSends;
    private @Nullable TransportReceiveBatch spareReceives;

    OpenBatches(Engine engine) {
        this.engine = engine;
    }

    /// An empty batch; one that the same thread left unposted is given up.
    TransportSendBatch sends(TransportQueuePair pair) {
        TransportSendBatch left = (TransportSendBatch) TransportBatch.ofThisThread(sends);
        if (left != null) {
            left.abort();
        }
        TransportSendBatch batch = spareSends;
        if (batch == null) {
            batch = new TransportSendBatch(engine);
        }
        spareSends = null;
        batch.open(pair);
        batch.older = sends;
        sends = batch;
        return batch;
    }

    /// An empty batch; one that the same thread left unposted is given up.
    TransportReceiveBatch receives(ReceiveOwner owner) {
        TransportReceiveBatch left = (TransportReceiveBatch) TransportBatch.ofThisThread(receives);
        if (left != null) {
            left.abort();
        }
        TransportReceiveBatch batch = spareReceives;
        if (batch == null) {
            batch = new TransportReceiveBatch(engine);
        }
        spareReceives = null;
        batch.open(owner);
        batch.older = receives;
        receives = batch;
        return batch;
    }

    void closed(TransportSendBatch batch) {
        sends = (TransportSendBatch) TransportBatch.without(sends, batch);
        spareSends = batch;
    }

    void closed(TransportReceiveBatch batch) {
        receives = (TransportReceiveBatch) TransportBatch.without(receives, batch);
        spareReceives = batch;
    }

    /// Gives up what is open, for its owner ends.
    void orphan() {
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
