package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WindowType;
import org.jspecify.annotations.Nullable;

/// A key for a part of a region, and the current binding.
final class TransportWindow implements MemoryWindow {
    private final TransportDomain domain;
    private final MemoryTable memory;
    private final WindowType type;
    final int index;

    /// The key last returned to the program; in force only when it is [#boundKey] of a bound
    /// window.
    private int key;

    private @Nullable TransportRegion region;
    private int boundKey;
    private long start;
    private long length;
    private int rightBits;

    /// The queue pair that bound it; only this one may use a window of type 2.
    private @Nullable TransportQueuePair binder;

    private int inFlight;
    private boolean closed;

    TransportWindow(TransportDomain domain, WindowType type, int index) {
        this.domain = domain;
        this.memory = domain.engine().memory;
        this.type = type;
        this.index = index;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public WindowType type() {
        return type;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    void announce(int next) {
        key = next;
    }

    int boundKey() {
        return boundKey;
    }

    boolean isIn(TransportDomain other) {
        return domain == other;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isBound() {
        return region != null;
    }

    /// Whether the bound region may still be in use through this window.
    boolean isInUse() {
        return region() != null && (binder == null || !binder.isClosed());
    }

    /// Whether requests of a queue pair may go through it at all.
    boolean opensTo(TransportQueuePair pair) {
        return type == WindowType.TYPE_1 || binder == pair;
    }

    boolean gives(Access right) {
        return (rightBits & right.bit()) != 0;
    }

    boolean covers(long address, long bytes) {
        long offset = address - start;
        // No sum that could wrap: offset and length each have their own bound.
        return offset >= 0 && bytes <= length && offset <= length - bytes;
    }

    /// The bound region, or null: there is none, or it was closed since.
    @Nullable TransportRegion region() {
        TransportRegion bound = region;
        return bound == null || bound.isClosed() ? null : bound;
    }

    void bind(
            TransportRegion to,
            TransportQueuePair by,
            int newKey,
            long from,
            long bytes,
            int rights) {
        region = to;
        to.bound();
        binder = by;
        boundKey = newKey;
        start = from;
        length = bytes;
        rightBits = rights;
    }

    /// Releases the bound region.
    void unbind() {
        if (region != null) {
            region.unbound();
            region = null;
            binder = null;
        }
    }

    void acquire() {
        inFlight++;
    }

    /// A bind has ended. When none is left, the key is that of the current binding: binds that were
    /// cancelled or failed announced keys that were never in force.
    void release() {
        inFlight--;
        if (inFlight == 0 && isBound()) {
            key = boundKey;
        }
        forgetWhenIdle();
    }

    @Override
    public void close() {
        try (var _ = domain.engine().door.enter()) {
            if (!closed) {
                closed = true;
                memory.endWindow(this);
                forgetWhenIdle();
            }
        }
    }

    private void forgetWhenIdle() {
        if (closed && inFlight == 0) {
            domain.engine().windows.remove(this);
        }
    }

    void requireOpen() {
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "use it before closing it");
        }
    }

    @Override
    public String toString() {
        return "window " + index;
    }
}
