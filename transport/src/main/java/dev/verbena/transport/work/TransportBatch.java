package dev.verbena.transport.work;

import dev.verbena.verbs.spi.WorkRules;
import org.jspecify.annotations.Nullable;

/// The common part of batches of send and of receive requests: they are filled, then taken by a
/// queue as a whole or not at all, and returned to their pool.
///
/// @param <O> the owner of the queue
public abstract class TransportBatch<O extends WorkOwner> extends OneAtATime
        implements AutoCloseable {
    final BatchPool pool;
    final WorkChain chain;
    private @Nullable O owner;

    /// The thread that asked for it, and the batch that its owner handed out before it.
    private @Nullable Thread filler;

    private @Nullable TransportBatch<?> older;

    /// Whether the owner was closed while it was being filled.
    private boolean isOrphan;

    TransportBatch(BatchPool pool) {
        this.pool = pool;
        this.chain = pool.chain();
    }

    /// The queue that the requests are for.
    abstract WorkQueue queue(O target);

    /// Refuses requests that the state of the owner does not allow; requests that do not fit need
    /// no further check.
    abstract void check(O target, boolean fits);

    /// Hands linked requests over, of which there is at least one.
    abstract void handOver(O target, int first, int last, int count);

    /// Returns to the pool.
    abstract void giveBack();

    /// Enters the device for one call of the program: `try (var _ = enter())`.
    final TransportBatch<O> enter() {
        assert claim();
        pool.entry.enter();
        filler = Thread.currentThread();
        if (isOrphan) {
            close();
            owner().requireOpen();
        }
        return this;
    }

    /// Exits the guard that [#enter] entered.
    @Override
    public final void close() {
        // Before the pool can hand it to another thread.
        assert leave();
        pool.entry.close();
    }

    /// The batch of one kind that an owner has handed to the calling thread, or to one that has
    /// ended; or null.
    static @Nullable TransportBatch<?> leftBy(WorkOwner owner, boolean isForSends) {
        Thread self = Thread.currentThread();
        TransportBatch<?> batch = owner.newestBatch();
        while (batch != null && !(batch.isForSends() == isForSends && batch.isLeftTo(self))) {
            batch = batch.older;
        }
        return batch;
    }

    private boolean isLeftTo(Thread thread) {
        return filler == null || filler.equals(thread) || !filler.isAlive();
    }

    abstract boolean isForSends();

    /// The batch that its owner handed out before it.
    final @Nullable TransportBatch<?> older() {
        return older;
    }

    /// Takes it out of its owner's list.
    private void unlink(O target) {
        TransportBatch<?> newest = target.newestBatch();
        if (equals(newest)) {
            target.newestBatch(older);
        }
        for (var batch = newest; batch != null; batch = batch.older) {
            if (equals(batch.older)) {
                batch.older = older;
            }
        }
        older = null;
    }

    final void open(O target) {
        filler = Thread.currentThread();
        owner = target;
        older = target.newestBatch();
        target.newestBatch(this);
        chain.open(target, isForSends());
    }

    final O owner() {
        if (owner == null) {
            throw WorkRules.batchEnded();
        }
        return owner;
    }

    public final boolean post() {
        try (var _ = enter()) {
            O target = owner();
            boolean fits = !chain.isFull() && chain.count() <= queue(target).room();
            try {
                target.requireOpen();
                check(target, fits);
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
            owner = null;
            unlink(target);
            giveBack();
            if (count > 0) {
                handOver(target, first, last, count);
            }
            return true;
        }
    }

    public final void abort() {
        try (var _ = enter()) {
            O target = owner();
            chain.abandon();
            owner = null;
            unlink(target);
            giveBack();
        }
    }

    /// Cancels a batch that is unposted when its owner is closed. It does not return to the pool:
    /// another thread may be about to use it, and must get an error.
    final void orphan() {
        chain.abandon();
        isOrphan = true;
    }

    /// Names the request begun last.
    final void name(long id) {
        try (var _ = enter()) {
            int slot = chain.current();
            if (slot != WorkSlab.NIL) {
                pool.holds.work.id(slot, id);
            }
        }
    }
}
