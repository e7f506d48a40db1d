package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.UnsupportedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Memory of a protection domain, with its remote key and a count of the work in flight on it.
final class TransportRegion implements MemoryRegion {
    private final TransportDomain domain;
    private final MemoryTable table;
    private final @Nullable Arena arena;
    private final @Nullable MemorySegment segment;
    private final Set<Access> rights;

    /// Whether the program cannot free the memory: this class alone can, or it is never freed.
    final boolean isKept;

    final int rightBits;
    final int index;
    final long base;
    final long length;

    private int key;
    private boolean keyInForce;
    private int inFlight;
    private int windows;
    private boolean closed;

    /// Takes over `arena`, which may be null: memory of the caller's, or none at all.
    TransportRegion(
            TransportDomain domain,
            int index,
            @Nullable Arena arena,
            @Nullable MemorySegment segment,
            long base,
            long length,
            Set<Access> rights) {
        this.domain = domain;
        this.table = domain.engine().memory;
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

    @Override
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
        try (var _ = domain.engine().door.enter()) {
            requireOpen();
            table.forgetKey(this);
            table.giveKey(this);
            return key;
        }
    }

    @Override
    public void close() {
        try (var _ = domain.engine().door.enter()) {
            if (!closed) {
                closed = true;
                table.forgetKey(this);
                freeWhenIdle();
            }
        }
    }

    /// The memory for the data path, or null when there is none; its scope may be closed.
    @Nullable MemorySegment bytes() {
        return segment;
    }

    boolean isClosed() {
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

    boolean keyInForce() {
        return keyInForce;
    }

    boolean isIn(ProtectionDomain other) {
        return domain == other;
    }

    void key(int value) {
        key = value;
        keyInForce = true;
    }

    /// Invalidates the key; later requests of peers with it are refused.
    void endKey() {
        keyInForce = false;
    }

    void acquire() {
        inFlight++;
    }

    void release() {
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

    void requireOpen() {
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "use it before closing it");
        }
    }

    @Override
    public String toString() {
        return "region %d of %d bytes".formatted(index, length);
    }
}
