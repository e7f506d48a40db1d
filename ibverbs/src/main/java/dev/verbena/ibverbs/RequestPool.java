package dev.verbena.ibverbs;

import java.util.BitSet;

/// Requests of a shared queue: done in any order, since queue pairs finish their messages so.
///
/// Several completion queues may be polled at a time, so all of it is guarded.
final class RequestPool extends Requests {
    private final int depth;
    private final int[] free;
    private final int[] staged;
    private final BitSet used;
    private int available;
    private int stagedCount;

    RequestPool(int depth, int pieces) {
        super(depth, pieces);
        this.depth = depth;
        this.free = new int[depth];
        this.staged = new int[depth];
        this.used = new BitSet(depth);
        reset();
    }

    @Override
    synchronized int room() {
        return available;
    }

    @Override
    synchronized int stage(int index) {
        if (available == 0) {
            return -1;
        }
        int place = free[--available];
        staged[stagedCount++] = place;
        used.set(place);
        begin(place);
        return place;
    }

    @Override
    synchronized void commit(int count) {
        while (stagedCount > count) {
            giveBack(staged[--stagedCount]);
        }
        stagedCount = 0;
    }

    @Override
    synchronized void takeBack(int from, int count) {
        for (int i = from; i < count; i++) {
            giveBack(staged[i]);
        }
    }

    @Override
    synchronized void retire(int place) {
        if (place < depth && used.get(place)) {
            giveBack(place);
        }
    }

    private void giveBack(int place) {
        used.clear(place);
        free[available++] = place;
    }

    @Override
    synchronized void reset() {
        available = depth;
        for (int i = 0; i < depth; i++) {
            free[i] = depth - 1 - i;
        }
        used.clear();
        stagedCount = 0;
    }

    /// How many were posted and are not done.
    synchronized int posted() {
        return used.cardinality() - stagedCount;
    }

    @Override
    synchronized boolean holds(IbvRegion region) {
        for (int place = used.nextSetBit(0); place >= 0; place = used.nextSetBit(place + 1)) {
            if (holds(place, region)) {
                return true;
            }
        }
        return false;
    }
}
