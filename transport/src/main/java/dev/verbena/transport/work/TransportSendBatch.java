package dev.verbena.transport.work;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.spi.DatagramRules;
import dev.verbena.verbs.spi.StateRules;
import dev.verbena.verbs.spi.WorkRules;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Send requests under construction.
final class TransportSendBatch extends TransportBatch<SendOwner> implements SendBatch {
    private final WorkSlab work;

    TransportSendBatch(BatchPool pool) {
        super(pool);
        this.work = pool.holds.work;
    }

    @Override
    public SendBatch send() {
        try (var _ = enter()) {
            begin(Work.SEND);
            return this;
        }
    }

    @Override
    public SendBatch sendImmediate(int immediate) {
        try (var _ = enter()) {
            return withNumber(begin(Work.SEND_IMMEDIATE), immediate);
        }
    }

    @Override
    public SendBatch sendInvalidate(int remoteKey) {
        try (var _ = enter()) {
            return withNumber(begin(Work.SEND_INVALIDATE), remoteKey);
        }
    }

    @Override
    public SendBatch write(long remoteAddress, int remoteKey) {
        try (var _ = enter()) {
            return withRemote(begin(Work.WRITE), remoteAddress, remoteKey);
        }
    }

    @Override
    public SendBatch writeImmediate(long remoteAddress, int remoteKey, int immediate) {
        try (var _ = enter()) {
            int slot = begin(Work.WRITE_IMMEDIATE);
            withNumber(slot, immediate);
            return withRemote(slot, remoteAddress, remoteKey);
        }
    }

    @Override
    public SendBatch read(long remoteAddress, int remoteKey) {
        try (var _ = enter()) {
            int slot = begin(Work.READ);
            return withRemote(slot, remoteAddress, remoteKey);
        }
    }

    @Override
    public SendBatch compareAndSwap(
            long remoteAddress, int remoteKey, long expected, long replacement) {
        try (var _ = enter()) {
            int slot = begin(Work.COMPARE_SWAP);
            if (slot != WorkSlab.NIL) {
                work.operands(slot, replacement, expected);
            }
            return withRemote(slot, remoteAddress, remoteKey);
        }
    }

    @Override
    public SendBatch fetchAndAdd(long remoteAddress, int remoteKey, long addend) {
        try (var _ = enter()) {
            int slot = begin(Work.FETCH_ADD);
            if (slot != WorkSlab.NIL) {
                work.operands(slot, addend, 0);
            }
            return withRemote(slot, remoteAddress, remoteKey);
        }
    }

    @Override
    public SendBatch localInvalidate(int remoteKey) {
        try (var _ = enter()) {
            return withNumber(begin(Work.LOCAL_INVALIDATE), remoteKey);
        }
    }

    @Override
    public SendBatch bind(
            MemoryWindow window,
            MemoryRegion region,
            long offset,
            long length,
            Set<Access> rights) {
        try (var _ = enter()) {
            chain.bind(window, region, offset, length, rights);
            return this;
        }
    }

    @Override
    public SendBatch to(AddressHandle way, int queuePair, int queueKey) {
        try (var _ = enter()) {
            chain.to(way, queuePair, queueKey);
            return this;
        }
    }

    @Override
    public SendBatch local(MemoryRegion region, long offset, long length) {
        try (var _ = enter()) {
            chain.local(region, offset, length);
            return this;
        }
    }

    @Override
    public SendBatch inline(MemorySegment bytes, long offset, long length) {
        try (var _ = enter()) {
            chain.inline(bytes, offset, length);
            return this;
        }
    }

    @Override
    public SendBatch id(long id) {
        name(id);
        return this;
    }

    @Override
    public SendBatch signaled() {
        return withFlag(Work.SIGNALED);
    }

    @Override
    public SendBatch fence() {
        return withFlag(Work.FENCE);
    }

    @Override
    public SendBatch solicited() {
        return withFlag(Work.SOLICITED);
    }

    @Override
    WorkQueue queue(SendOwner pair) {
        return pair.sendQueue();
    }

    @Override
    void check(SendOwner pair, boolean fits) {
        StateRules.requireSends(pair, pair.state());
        if (fits) {
            checkRequests(pair);
        }
    }

    @Override
    void handOver(SendOwner pair, int first, int last, int count) {
        pair.postSends(first, last, count);
    }

    @Override
    boolean isForSends() {
        return true;
    }

    @Override
    void giveBack() {
        pool.back(this);
    }

    private int begin(int kind) {
        chain.begin(kind);
        return chain.current();
    }

    private SendBatch withNumber(int slot, int number) {
        if (slot != WorkSlab.NIL) {
            work.immediate(slot, number);
        }
        return this;
    }

    private SendBatch withRemote(int slot, long address, int key) {
        if (slot != WorkSlab.NIL) {
            work.remote(slot, address, key);
        }
        return this;
    }

    private SendBatch withFlag(int flag) {
        try (var _ = enter()) {
            int slot = chain.current();
            if (slot != WorkSlab.NIL) {
                work.set(slot, flag);
            }
            return this;
        }
    }

    /// Checks that are possible only when a request is complete.
    private void checkRequests(SendOwner pair) {
        boolean isDatagram = pair.type() == QueuePairType.UD;
        for (int slot = chain.first(); slot != WorkSlab.NIL; slot = work.next(slot)) {
            int kind = work.kind(slot);
            if (isDatagram && !work.has(slot, Work.ADDRESSED)) {
                throw DatagramRules.noDestination(pair, Work.kind(kind));
            }
            if (Work.isAnswered(kind)) {
                WorkRules.requireAnswerable(
                        pair,
                        Work.kind(kind),
                        pair.readsAsInitiator(),
                        work.length(slot),
                        work.pieces(slot));
            }
        }
    }
}
