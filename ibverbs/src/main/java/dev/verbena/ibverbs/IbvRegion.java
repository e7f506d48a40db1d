package dev.verbena.ibverbs;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.LateFrees;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
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
    private final @Nullable MemorySegment segment;
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

    private IbvRegion(
            IbvDomain domain,
            @Nullable Arena arena,
            @Nullable MemorySegment segment,
            long base,
            long length,
            Set<Access> rights,
            int number) {
        this.domain = domain;
        this.arena = arena;
        this.segment = segment;
        this.rights = rights;
        this.rightBits = Access.bits(rights);
        this.number = number;
        this.base = base;
        this.length = length;
    }

    /// Registers native memory; takes over `arena`, which is null for memory of the caller's.
    static IbvRegion of(
            IbvDomain domain,
            @Nullable Arena arena,
            MemorySegment segment,
            Set<Access> rights,
            int number) {
        long length = segment.byteSize();
        IbvRegion made =
                new IbvRegion(domain, arena, segment, segment.address(), length, rights, number);
        made.register();
        domain.regions.add(made);
        return made;
    }

    /// Registers memory of another device's; peers address it as it is addressed in the file.
    static IbvRegion ofDmaBuf(
            IbvDomain domain, int file, long offset, long bytes, Set<Access> rights, int number) {
        IbvRegion made = new IbvRegion(domain, null, null, offset, bytes, rights, number);
        made.registered(
                domain.context.verbs.regDmaBuf(
                        domain.toString(), domain.address, offset, bytes, file, made.rightBits));
        domain.regions.add(made);
        return made;
    }

    private void register() {
        // Devices refuse a region without bytes; work requests cannot name any of it.
        long bytes = Math.max(1, length);
        registered(
                domain.context.verbs.regMr(
                        domain.toString(),
                        IbvContext.ofAtMost(
                                "memory of " + length + " bytes",
                                domain.context.limits.memoryRegions()),
                        domain.address,
                        base,
                        bytes,
                        rightBits));
    }

    private void registered(long structure) {
        region = structure;
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
        if (segment == null) {
            throw new UnsupportedException(
                    toString(),
                    "its memory is another device's",
                    "use the functions of that device to read and write it");
        }
        return segment;
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
            if (segment == null) {
                throw new UnsupportedException(
                        toString(), "its file may be closed by now", "register the file again");
            }
            releaseWindows();
            unregister();
            registerAgain();
            return remoteKey;
        } finally {
            domain.context.lock.unlock();
        }
    }

    /// The memory may be gone, with its arena; then so is the region.
    private void registerAgain() {
        try {
            register();
        } catch (VerbsException refused) {
            closed = true;
            end();
            throw refused;
        }
    }

    /// Answers with 0, or why the device keeps it.
    private int unregister() {
        long structure = region;
        region = 0;
        return structure == 0 ? 0 : domain.context.verbs.deregMr(structure);
    }

    /// Notes whose request names it.
    void usedBy(Requests requests) {
        if (!hasUsers && !requests.equals(user)) {
            note(requests);
        }
    }

    /// Two may be the first at once.
    private synchronized void note(Requests requests) {
        hasUsers = user != null && !requests.equals(user);
        user = requests;
    }

    @Override
    public synchronized boolean isBusy() {
        if (hasUsers) {
            return domain.holds(this);
        }
        return user != null && user.holds(this);
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
        domain.regions.remove(this);
        // The device may still write to memory that it did not release.
        if (unregister() == 0 && arena != null) {
            LateFrees.free(arena);
        }
        domain.endIfEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return ObjectNames.region(number, length);
    }
}
