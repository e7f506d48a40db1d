package dev.verbena.ibverbs;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Memory that the device knows. Closed while requests are in flight on it, it is taken from the
/// device, with its remote key, when the last of them is done: the device has one registration for
/// both sides.
final class IbvRegion implements MemoryRegion, Lingering.Thing {
    private final IbvDomain domain;
    private final @Nullable Arena arena;
    private final MemorySegment segment;
    private final Set<Access> rights;
    private final int number;
    final int rightBits;
    final long base;
    private final long length;

    /// Windows that were last bound to it.
    final Set<IbvWindow> windows = new LinkedHashSet<>();

    private long region;
    private int localKey;
    private volatile int remoteKey;

    /// The only queue whose requests have named it, so that closing need not look through all.
    private @Nullable Requests user;

    private boolean hasUsers;
    private volatile boolean closed;

    /// Takes over `arena`, which is null for memory of the caller's.
    IbvRegion(
            IbvDomain domain,
            @Nullable Arena arena,
            MemorySegment segment,
            Set<Access> rights,
            int number) {
        this.domain = domain;
        this.arena = arena;
        this.segment = segment;
        this.rights = rights;
        this.rightBits = Access.bits(rights);
        this.number = number;
        this.base = segment.address();
        this.length = segment.byteSize();
        register();
        domain.regions.add(this);
    }

    private void register() {
        // Devices refuse what has no bytes; nobody can name any of it.
        long bytes = Math.max(1, length);
        region =
                domain.context.verbs.regMr(
                        domain.toString(), domain.address, base, bytes, rightBits);
        localKey = Memory.getInt(region + Structs.Mr.LKEY);
        remoteKey = Memory.getInt(region + Structs.Mr.RKEY);
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public MemorySegment segment() {
        requireOpen();
        return segment;
    }

    @Override
    public boolean isPhantom() {
        return false;
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
        return remoteKey;
    }

    int localKey() {
        return localKey;
    }

    /// `struct ibv_mr`.
    long structure() {
        return region;
    }

    /// Takes the memory from the device and gives it again. Requests in flight on it fail.
    @Override
    public int renew() {
        domain.context.lock.lock();
        try {
            requireOpen();
            releaseWindows();
            domain.context.verbs.deregMr(region);
            register();
            return remoteKey;
        } finally {
            domain.context.lock.unlock();
        }
    }

    /// Notes whose request names it.
    void usedBy(Requests requests) {
        if (!requests.equals(user)) {
            hasUsers = user != null || hasUsers;
            user = requests;
        }
    }

    @Override
    public boolean isBusy() {
        if (hasUsers) {
            return domain.holds(this);
        }
        Requests only = user;
        return only != null && only.holds(this);
    }

    @Override
    public void close() {
        domain.context.lock.lock();
        try {
            if (!closed) {
                closed = true;
                releaseWindows();
                domain.context.lingering.end(this);
            }
        } finally {
            domain.context.lock.unlock();
        }
    }

    /// A device keeps memory that a window is bound to.
    private void releaseWindows() {
        for (IbvWindow window : Set.copyOf(windows)) {
            window.replace();
        }
        windows.clear();
    }

    @Override
    public void end() {
        domain.context.verbs.deregMr(region);
        if (arena != null) {
            arena.close();
        }
        domain.regions.remove(this);
        domain.endIfEmpty();
    }

    void requireOpen() {
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "use it before closing it");
        }
    }

    @Override
    public String toString() {
        return "region %d of %d bytes".formatted(number, length);
    }
}
