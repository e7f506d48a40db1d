package dev.verbena.transport.memory;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WindowType;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
import org.jspecify.annotations.Nullable;

/// A key for a part of a region, and the current binding.
public final class TransportWindow implements MemoryWindow {
    private final ProtectionDomain domain;
    private final WindowTable table;
    private final WindowType type;
    public final int index;

    /// The key last returned to the program; in force only when it is [#boundKey] of a bound
    /// window.
    private int key;

    private @Nullable TransportRegion region;
    private int boundKey;
    private long start;
    private long length;
    private int rightBits;

    /// The queue pair that bound it; only this one may use a window of type 2.
    private @Nullable KeyUser binder;

    private int inFlight;
    private boolean closed;

    TransportWindow(ProtectionDomain domain, WindowTable table, WindowType type, int index) {
        this.domain = domain;
        this.table = table;
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

    public void announce(int next) {
        key = next;
    }

    int boundKey() {
        return boundKey;
    }

    public boolean isIn(ProtectionDomain other) {
        return domain.equals(other);
    }

    public boolean isClosed() {
        return closed;
    }

    boolean isBound() {
        return region != null;
    }

    /// Whether the bound region may still be in use through this window.
    public boolean isInUse() {
        return region() != null && (binder == null || !binder.isClosed());
    }

    /// Whether requests of a queue pair may go through it at all.
    boolean opensTo(KeyUser user) {
        return type == WindowType.TYPE_1 || user.equals(binder);
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

    public void bind(
            TransportRegion to, KeyUser by, int newKey, long from, long bytes, int rights) {
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

    public void acquire() {
        inFlight++;
    }

    /// A bind has ended. When none is left, the key is that of the current binding: binds that were
    /// cancelled or failed announced keys that were never in force.
    public void release() {
        inFlight--;
        if (inFlight == 0 && isBound()) {
            key = boundKey;
        }
        forgetWhenIdle();
    }

    @Override
    public void close() {
        try (var _ = table.entry.enter()) {
            if (!closed) {
                closed = true;
                table.memory.endWindow(this);
                forgetWhenIdle();
            }
        }
    }

    private void forgetWhenIdle() {
        if (closed && inFlight == 0) {
            table.remove(this);
        }
    }

    public void requireOpen() {
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return ObjectNames.window(index);
    }
}
