package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;

import dev.verbena.ibverbs.Library.Function;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WindowType;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
import org.jspecify.annotations.Nullable;

/// A memory window. Its structure in the library holds the key that the device is to find it by, so
/// it is kept up with each bind that was posted.
final class IbvWindow implements MemoryWindow {
    private static final int KEY_BITS = 0xFF;

    private final IbvDomain domain;
    private final WindowType type;
    private final int number;
    final ObjectGuard guard = new ObjectGuard();
    private long window;
    private volatile int key;
    private @Nullable IbvRegion region;
    private @Nullable IbvQueuePair binder;
    private volatile boolean closed;

    IbvWindow(IbvDomain domain, WindowType type, int number) {
        this.domain = domain;
        this.type = type;
        this.number = number;
        allocate();
        domain.windows.add(this);
    }

    private void allocate() {
        Function alloc = function("ibv_alloc_mw", Structs.Context.ALLOC_MW, LONG, LONG, INT);
        window =
                Verbs.made(
                        domain.toString(),
                        IbvContext.ofAtMost(
                                "a window of " + type, domain.context.limits.memoryWindows()),
                        alloc.call(domain.address, type.code()));
        key = Memory.getInt(window + Structs.Mw.RKEY);
    }

    private void deallocate() {
        long structure = window;
        window = 0;
        function("ibv_dealloc_mw", Structs.Context.DEALLOC_MW, INT, LONG).call(structure);
    }

    private Function function(
            String title, int at, Library.Kind result, Library.Kind... arguments) {
        return domain.context.verbs.pointer(
                title, Memory.getLong(domain.context.address + at), result, arguments);
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

    /// `struct ibv_mw`.
    long structure() {
        return window;
    }

    /// The key of the next bind: a device uses eight bits of it, and they must differ.
    int nextKey() {
        key = (key & ~KEY_BITS) | ((key + 1) & KEY_BITS);
        return key;
    }

    /// The bind that was announced last will not come.
    void withdraw() {
        if (guard.enter()) {
            key = Memory.getInt(window + Structs.Mw.RKEY);
            guard.leave();
        }
    }

    /// A bind to the region is about to be posted.
    void binding(IbvRegion to, IbvQueuePair by) {
        domain.context.lock.lock();
        try {
            requireOpen();
            if (region != null) {
                region.windows.remove(this);
            }
            region = to;
            binder = by;
            to.windows.add(this);
            by.windows.add(this);
        } finally {
            domain.context.lock.unlock();
        }
    }

    /// A bind has been posted; the device finds the window by the new key from now on.
    void bound(int newKey) {
        Memory.putInt(window + Structs.Mw.RKEY, newKey);
    }

    /// A bind failed: the key before it is the one that the device knows.
    void failed(int failedKey, int oldKey) {
        if (guard.enter()) {
            if (Memory.getInt(window + Structs.Mw.RKEY) == failedKey) {
                Memory.putInt(window + Structs.Mw.RKEY, oldKey);
                key = oldKey;
            }
            guard.leave();
        }
    }

    /// Releases the bound region, which is possible at any time only by destroying the window.
    /// Where the device has no other window to give, this window is closed with it: closing a
    /// region or a queue pair does not fail for this reason.
    void replace() {
        if (!guard.enter()) {
            return;
        }
        try {
            deallocate();
            forget();
            allocate();
        } catch (VerbsException _) {
            closed = true;
        } finally {
            guard.leave();
        }
        if (closed) {
            guard.shut();
            domain.windows.remove(this);
        }
    }

    private void forget() {
        if (region != null) {
            region.windows.remove(this);
            region = null;
        }
        if (binder != null) {
            binder.windows.remove(this);
            binder = null;
        }
    }

    @Override
    public void close() {
        domain.context.lock.lock();
        try {
            if (!closed) {
                closed = true;
                guard.shut();
                deallocate();
                forget();
                domain.windows.remove(this);
                domain.endIfEmpty();
            }
        } finally {
            domain.context.lock.unlock();
        }
    }

    void requireOpen() {
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return ObjectNames.window(number);
    }
}
