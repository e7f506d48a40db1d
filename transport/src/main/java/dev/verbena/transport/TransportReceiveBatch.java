package dev.verbena.transport;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.WrongStateException;

/// Receive requests under construction.
final class TransportReceiveBatch extends TransportBatch implements ReceiveBatch {
    TransportReceiveBatch(Engine engine) {
        super(engine);
    }

    @Override
    public ReceiveBatch receive() {
        chain.begin(Work.RECEIVE);
        return this;
    }

    @Override
    public ReceiveBatch local(MemoryRegion region, long offset, long length) {
        chain.local(region, offset, length);
        return this;
    }

    @Override
    public ReceiveBatch id(long id) {
        name(id);
        return this;
    }

    @Override
    WorkQueue queue(TransportQueuePair pair) {
        return pair.receiveQueue;
    }

    @Override
    void check(TransportQueuePair pair, boolean fits) {
        if (!pair.state().takesReceives()) {
            throw new WrongStateException(
                    pair.toString(),
                    "it is in " + pair.state().symbol() + " and cannot receive",
                    "move it to INIT first");
        }
    }

    @Override
    void handOver(TransportQueuePair pair, int first, int last, int count) {
        pair.postReceives(first, last, count);
    }

    @Override
    void giveBack(TransportQueuePair pair) {
        pair.receivesClosed();
        engine.batches.back(this);
    }
}
