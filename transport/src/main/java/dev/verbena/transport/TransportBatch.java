package dev.verbena.transport;

/// What batches of send and of receive requests share: they are filled, then taken by a queue as a
/// whole or not at all, and go back to their pool.
abstract class TransportBatch {
    final Engine engine;
    final WorkChain chain;

    TransportBatch(Engine engine) {
        this.engine = engine;
        this.chain = new WorkChain(engine);
    }

    /// The queue that the requests are for.
    abstract WorkQueue queue(TransportQueuePair pair);

    /// Refuses what the queue pair's state does not allow; what would not fit needs no closer look.
    abstract void check(TransportQueuePair pair, boolean fits);

    /// Hands linked requests over, of which there is at least one.
    abstract void handOver(TransportQueuePair pair, int first, int last, int count);

    /// Tells the queue pair that it has no open batch any more, and goes back to the pool.
    abstract void giveBack(TransportQueuePair pair);

    final void open(TransportQueuePair pair) {
        chain.open(pair);
    }

    public final boolean post() {
        TransportQueuePair pair = chain.pair();
        boolean fits = !chain.isFull() && chain.count() <= queue(pair).room();
        try {
            pair.requireOpen();
            check(pair, fits);
        } catch (RuntimeException refused) {
            abort();
            throw refused;
        }
        if (!fits) {
            abort();
            return false;
        }
        int first = chain.first();
        int last = chain.last();
        int count = chain.count();
        chain.forget();
        giveBack(pair);
        if (count > 0) {
            handOver(pair, first, last, count);
        }
        return true;
    }

    public final void abort() {
        TransportQueuePair pair = chain.pair();
        chain.abandon();
        giveBack(pair);
    }

    /// Names the request begun last.
    final void name(long id) {
        int slot = chain.current();
        if (slot != WorkSlab.NIL) {
            engine.work.id(slot, id);
        }
    }
}
