package dev.verbena.transport.work;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.spi.DatagramRules;

/// Receive requests under construction.
final class TransportReceiveBatch extends TransportBatch<ReceiveOwner> implements ReceiveBatch {
    TransportReceiveBatch(BatchPool pool) {
        super(pool);
    }

    @Override
    public ReceiveBatch receive() {
        try (var _ = enter()) {
            chain.begin(Work.RECEIVE);
            return this;
        }
    }

    @Override
    public ReceiveBatch local(MemoryRegion region, long offset, long length) {
        try (var _ = enter()) {
            chain.local(region, offset, length);
            return this;
        }
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
        if (fits && target.type() == QueuePairType.UD) {
            requireHeaderRoom(target);
        }
    }

    private void requireHeaderRoom(ReceiveOwner target) {
        WorkSlab work = pool.holds.work;
        for (int slot = chain.first(); slot != WorkSlab.NIL; slot = work.next(slot)) {
            DatagramRules.requireHeaderRoom(target, work.length(slot));
        }
    }

    @Override
    void handOver(ReceiveOwner target, int first, int last, int count) {
        target.postReceives(first, last, count);
    }

    @Override
    boolean isForSends() {
        return false;
    }

    @Override
    void giveBack() {
        pool.back(this);
    }
}
