package dev.verbena.ibverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Requests that are done in the order in which they were posted.
///
/// One thread posts, another may poll: each changes its own end, and values written before an end
/// moves are visible to a thread that reads the end.
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
        int place = (tail + index) & PLACE_MASK;
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
        int end = tail - (count - from);
        TAIL.setRelease(this, end);
        // A reset that came between has taken them for gone.
        int first = (int) HEAD.getAcquire(this);
        if (first - end > 0) {
            HEAD.compareAndSet(this, first, end);
        }
    }

    /// The device reports only some requests: all requests posted before are done as well.
    @Override
    void retire(int place) {
        // Places have fewer bits than ends: only the distance from the head counts.
        int from = (int) HEAD.getAcquire(this);
        int ahead = (place - from) & PLACE_MASK;
        if (ahead < (int) TAIL.getAcquire(this) - from) {
            // When it fails, the queue was reset meanwhile: nothing is left to end.
            HEAD.compareAndSet(this, from, from + ahead + 1);
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

    /// The end of the requests that were begun. Read in this order, the value may be too large
    /// while other threads post, but never too small.
    private int end() {
        int begun = (int) STAGED.getAcquire(this);
        return (int) TAIL.getAcquire(this) + begun;
    }

    @Override
    boolean holds(IbvRegion region) {
        int place = (int) HEAD.getAcquire(this);
        for (int end = end(); place - end < 0; place++) {
            if (holds(place & PLACE_MASK, region)) {
                return true;
            }
        }
        return false;
    }
}
