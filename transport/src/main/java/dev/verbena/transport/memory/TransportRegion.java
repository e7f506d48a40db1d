package dev.verbena.transport.memory;

import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Memory of a protection domain, with its remote key and a count of the work in flight on it.
public final class TransportRegion implements MemoryRegion {
    private final ProtectionDomain domain;
    private final GuardedEntry entry;
    private final MemoryTable table;
    private final @Nullable Arena arena;
    private final @Nullable MemorySegment segment;
    private final Set<Access> rights;

    /// Whether the program cannot free the memory: this class alone can, or it is never freed.
    public final boolean isKept;

    public final int rightBits;
    public final int index;
    public final long base;
    public final long length;

    private int key;
    private boolean keyInForce;
    private int inFlight;
    private int windows;
    private boolean closed;

    /// Takes over `arena`, which may be null: memory of the caller's, or none at all.
    public TransportRegion(
            ProtectionDomain domain,
            GuardedEntry entry,
            MemoryTable table,
            int index,
            @Nullable Arena arena,
            @Nullable MemorySegment segment,
            long base,
            long length,
            Set<Access> rights) {
        this.domain = domain;
        this.entry = entry;
        this.table = table;
        this.index = index;
        this.arena = arena;
        this.segment = segment;
        this.base = base;
        this.length = length;
        this.rights = rights;
        this.isKept =
                arena != null
                        || (segment != null && segment.scope().equals(Arena.global().scope()));
        this.rightBits = Access.bits(rights);
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public MemorySegment segment() {
        requireOpen();
        if (segment == null) {
            throw new UnsupportedException(
                    toString(), "a phantom region has no memory", "use allocate for real bytes");
        }
        return segment;
    }

    /// Whether it has a length and no memory.
    public boolean isPhantom() {
        return segment == null;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Set<Access> rights() {
        return rights;
    }

    @Override
    public long address() {
        return base;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    @Override
    public int renew() {
        try (var _ = entry.enter()) {
            requireOpen();
            table.forgetKey(this);
            table.giveKey(this);
            return key;
        }
    }

    @Override
    public void close() {
        try (var _ = entry.enter()) {
            if (!closed) {
                closed = true;
                table.forgetKey(this);
                freeWhenIdle();
            }
        }
    }

    /// The memory for the data path, or null when there is none; its scope may be closed.
    public @Nullable MemorySegment bytes() {
        return segment;
    }

    public boolean isClosed() {
        return closed;
    }

    /// A window was bound to it.
    void bound() {
        windows++;
    }

    void unbound() {
        windows--;
    }

    boolean hasWindows() {
        return windows > 0;
    }

    public boolean keyInForce() {
        return keyInForce;
    }

    public boolean isIn(ProtectionDomain other) {
        return domain.equals(other);
    }

    void key(int value) {
        key = value;
        keyInForce = true;
    }

    /// Invalidates the key; later requests of peers with it are refused.
    void endKey() {
        keyInForce = false;
    }

    public void acquire() {
        inFlight++;
    }

    public void release() {
        assert inFlight > 0 : "released as often as acquired";
        inFlight--;
        if (closed) {
            freeWhenIdle();
        }
    }

    private void freeWhenIdle() {
        if (inFlight == 0) {
            table.remove(this);
            if (arena != null) {
                table.free(arena);
            }
        }
    }

    public void requireOpen() {
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return ObjectNames.region(index, length);
    }
}
