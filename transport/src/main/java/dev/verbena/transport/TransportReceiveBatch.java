package dev.verbena.transport;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ReceiveBatch;

/// Receive requests under construction.
final class TransportReceiveBatch extends TransportBatch<ReceiveOwner> implements ReceiveBatch {
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
    WorkQueue queue(ReceiveOwner target) {
        return target.receiveQueue();
    }

    @Override
    void check(ReceiveOwner target, boolean fits) {
        target.checkReceives();
    }

    @Override
    void handOver(ReceiveOwner target, int first, int last, int count) {
        target.postReceives(first, last, count);
    }

    @Override
    void giveBack(ReceiveOwner target) {
        target.receivesClosed();
        engine.batches.back(this);
    }
}
