package dev.verbena.ibverbs;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.SharedReceiveRules;
import java.lang.foreign.Arena;

/// A shared receive queue.
final class IbvSharedReceives implements SharedReceiveQueue {
    private final IbvDomain domain;
    private final IbvContext context;
    private final int number;
    private final int depth;
    private final long queue;
    final ObjectGuard guard = new ObjectGuard();
    private final RequestPool requests;
    private final IbvReceiveBatch batch;
    private int users;
    private boolean isEnded;
    private volatile boolean closed;

    IbvSharedReceives(IbvDomain domain, int number, int depth) {
        this.domain = domain;
        this.context = domain.context;
        this.number = number;
        this.depth = depth;
        Depths.requireSharedQueue(domain, depth, context.limits.workRequests());
        try (Arena arena = Arena.ofConfined()) {
            long init = arena.allocate(Structs.Srq.INIT_SIZE, Structs.POINTER).address();
            long attr = init + Structs.Srq.INIT_ATTR;
            Memory.putLong(init + Structs.Srq.INIT_SRQ_CONTEXT, number);
            Memory.putInt(attr + Structs.Srq.MAX_WR, depth);
            Memory.putInt(attr + Structs.Srq.MAX_SGE, context.abilities.pieces());
            this.queue =
                    context.verbs.createSrq(
                            domain.toString(),
                            IbvContext.ofAtMost(
                                    "a shared receive queue", context.limits.sharedReceiveQueues()),
                            domain.address,
                            init);
        }
        this.requests = new RequestPool(depth, context.abilities.pieces());
        context.owners.add(requests);
        this.batch = new IbvReceiveBatch(domain, requests, ReceiveTarget.of(this));
        domain.shared.add(this);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    Requests requests() {
        return requests;
    }

    /// `struct ibv_srq`.
    long structure() {
        return queue;
    }

    @Override
    public ReceiveBatch receives() {
        requireOpen();
        batch.open();
        return batch;
    }

    @Override
    public int room() {
        return requests.room();
    }

    @Override
    public int limit() {
        context.lock.lock();
        try {
            return closed ? 0 : ask();
        } finally {
            context.lock.unlock();
        }
    }

    private int ask() {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(Structs.Srq.ATTR_SIZE, Structs.POINTER).address();
            int reason = context.verbs.querySrq(queue, attr);
            if (reason != 0) {
                throw Errno.refusal(toString(), "a query of its limit", reason);
            }
            return Memory.getInt(attr + Structs.Srq.LIMIT);
        }
    }

    /// A device looks at the limit when it takes a request; where there are too few already, we say
    /// so ourselves.
    @Override
    public void limit(int least) {
        SharedReceiveRules.requireLimit(this, least, depth);
        context.lock.lock();
        try {
            requireOpen();
            int posted = requests.posted();
            boolean isUnder = posted < least;
            set(isUnder ? 0 : least);
            if (isUnder) {
                domain.deviceImpl()
                        .events
                        .add(
                                AsyncEvent.Type.SHARED_RECEIVE_LIMIT,
                                number,
                                SharedReceiveRules.underLimit(this, posted, least));
            }
        } finally {
            context.lock.unlock();
        }
    }

    private void set(int least) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(Structs.Srq.ATTR_SIZE, Structs.POINTER).address();
            Memory.putInt(attr + Structs.Srq.LIMIT, least);
            int reason = context.verbs.modifySrq(queue, attr, Structs.Srq.MASK_LIMIT);
            if (reason != 0) {
                throw Errno.refusal(toString(), "a limit of " + least, reason);
            }
        }
    }

    void use() {
        users++;
    }

    void unuse() {
        users--;
        endIfUnused();
    }

    @Override
    public void close() {
        context.lock.lock();
        try {
            closed = true;
            endIfUnused();
        } finally {
            context.lock.unlock();
        }
    }

    private void endIfUnused() {
        if (closed && users == 0 && !isEnded) {
            isEnded = true;
            guard.shut();
            domain.deviceImpl().events.fetch();
            context.verbs.destroySrq(queue);
            context.owners.remove(requests);
            domain.shared.remove(this);
            requests.reset();
            context.lingering.sweep(false);
            domain.endIfEmpty();
        }
    }

    void requireOpen() {
        domain.deviceImpl().requireOpen();
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return "srq " + number;
    }
}
