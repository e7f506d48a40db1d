package dev.verbena.transport;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.WrongStateException;

/// Receive requests under construction.
final class TransportReceiveBatch implements ReceiveBatch {
    private final Engine engine;
    private final WorkChain chain;

    TransportReceiveBatch(Engine engine) {
        this.engine = engine;
        this.chain = new WorkChain(engine);
    }

    void open(TransportQueuePair pair) {
        chain.open(pair);
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
        int slot = chain.current();
        if (slot != WorkSlab.NIL) {
            engine.work.id(slot, id);
        }
        return this;
    }

    @Override
    public boolean post() {
        TransportQueuePair pair = chain.pair();
        try {
            pair.requireOpen();
            if (!pair.state().takesReceives()) {
                throw new WrongStateException(
                        pair.toString(),
                        "it is in " + pair.state().symbol() + " and cannot receive",
                        "move it to INIT first");
            }
        } catch (RuntimeException refused) {
            abort();
            throw refused;
        }
        if (chain.isFull() || chain.count() > pair.receiveQueue.room()) {
            abort();
            return false;
        }
        int first = chain.first();
        int last = chain.last();
        int count = chain.count();
        done(pair);
        if (count > 0) {
            pair.postReceives(first, last, count);
        }
        return true;
    }

    @Override
    public void abort() {
        TransportQueuePair pair = chain.pair();
        chain.abandon();
        done(pair);
    }

    private void done(TransportQueuePair pair) {
        chain.forget();
        pair.receivesClosed();
        engine.batches.back(this);
    }
}
