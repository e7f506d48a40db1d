package dev.verbena.ibverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Requests that are done in the order in which they were posted.
///
/// One thread posts, another may poll: each changes its own end, and what is written before an end
/// moves is seen by who reads the end.
final class RequestRing extends Requests {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle STAGED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(RequestRing.class, "head", int.class);
            TAIL = lookup.findVarHandle(RequestRing.class, "tail", int.class);
            STAGED = lookup.findVarHandle(RequestRing.class, "staged", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private final int depth;

    @SuppressWarnings("unused") // through HEAD
    private int head;

    private int tail;

    /// Those behind the tail that a batch is being filled with.
    @SuppressWarnings("unused") // through STAGED
    private int staged;

    RequestRing(int depth, int pieces) {
        super(depth, pieces);
        this.depth = depth;
    }

    int depth() {
        return depth;
    }

    @Override
    int room() {
        return depth - ((int) TAIL.getAcquire(this) - (int) HEAD.getAcquire(this));
    }

    @Override
    int stage(int index) {
        if (index >= room()) {
            return -1;
        }
        STAGED.setRelease(this, index + 1);
        int place = (tail + index) & Integer.MAX_VALUE;
        begin(place);
        return place;
    }

    @Override
    void commit(int count) {
        TAIL.setRelease(this, tail + count);
        STAGED.setRelease(this, 0);
    }

    @Override
    void takeBack(int from, int count) {
        TAIL.setRelease(this, tail - (count - from));
    }

    /// The device tells only of some: what was posted before is done as well.
    @Override
    void retire(int place) {
        // Places have 31 bits, ends all 32: what counts is how far it is from the head.
        int from = (int) HEAD.getAcquire(this);
        int ahead = (place - from) & Integer.MAX_VALUE;
        if (ahead < (int) TAIL.getAcquire(this) - from) {
            HEAD.setRelease(this, from + ahead + 1);
        }
    }

    @Override
    void reset() {
        HEAD.setRelease(this, (int) TAIL.getAcquire(this));
    }

    /// Whether a request goes by the way.
    boolean holds(IbvAddressHandle way) {
        int place = (int) HEAD.getAcquire(this);
        for (int end = end(); place - end < 0; place++) {
            if (companion(place) == way) {
                return true;
            }
        }
        return false;
    }

    /// Behind the last request that was begun. What is read in this order may be too much, when
    /// others post meanwhile, and is never too little.
    private int end() {
        int begun = (int) STAGED.getAcquire(this);
        return (int) TAIL.getAcquire(this) + begun;
    }

    @Override
    boolean holds(IbvRegion region) {
        int place = (int) HEAD.getAcquire(this);
        for (int end = end(); place - end < 0; place++) {
            if (holds(place & Integer.MAX_VALUE, region)) {
                return true;
            }
        }
        return false;
    }
}
