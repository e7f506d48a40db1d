package dev.verbena.ibverbs;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.spi.WorkKind;
import dev.verbena.verbs.spi.WorkRules;
import org.jspecify.annotations.Nullable;

/// The binds of windows in a batch: what their requests store, and how they are handed over.
final class WindowBinds {
    private final IbvQueuePair pair;
    private final RequestRing requests;
    private final Staging staging;
    private int count;

    WindowBinds(IbvQueuePair pair, RequestRing requests, Staging staging) {
        this.pair = pair;
        this.requests = requests;
        this.staging = staging;
    }

    /// A new batch has none.
    void clear() {
        count = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    IbvWindow own(MemoryWindow given) {
        if (!(given instanceof IbvWindow window) || !window.domain().equals(pair.domain())) {
            throw WorkRules.foreign(pair, WorkKind.BIND_WINDOW, given);
        }
        return window;
    }

    IbvRegion own(MemoryRegion given) {
        IbvRegion region = pair.domainImpl().own(given);
        if (region == null) {
            throw WorkRules.foreign(pair, WorkKind.BIND_WINDOW, given);
        }
        return region;
    }

    /// Stores the binding in a work request; all of it was checked. The key is returned now, so
    /// that a later message can carry it.
    void stage(
            long request,
            int place,
            IbvWindow window,
            IbvRegion region,
            long offset,
            long length,
            int rights) {
        int oldKey = window.remoteKey();
        int newKey = window.nextKey();
        requests.accompany(place, new WindowBind(window, region, newKey, oldKey));
        requests.hold(place, 0, region);
        count++;
        // After that: should the window be closed by now, posting sees it.
        window.binding(region, pair);
        Memory.putInt(request + Structs.SendWr.BIND_KEY, newKey);
        Memory.putLong(request + Structs.SendWr.BIND_ADDRESS, region.base + offset);
        Memory.putLong(request + Structs.SendWr.BIND_LENGTH, length);
        Memory.putInt(request + Structs.SendWr.BIND_ACCESS, rights);
    }

    /// The binds from this request on, of so many in the batch, will not come.
    void withdraw(int first, int all) {
        for (int i = first; count > 0 && i < all; i++) {
            if (companion(i) instanceof WindowBind bind) {
                bind.window().withdraw();
            }
        }
        count = 0;
    }

    private @Nullable Object companion(int index) {
        return requests.companion(
                Requests.placeOf(Memory.getLong(staging.request(index) + Structs.SendWr.ID)));
    }

    /// A driver reads a window's key when it takes the bind: so the chain of all requests of the
    /// batch is cut behind each bind, and the key brought up to date before the next.
    int handOver(int all) {
        int first = 0;
        for (int i = 0; i < all; i++) {
            if (!(companion(i) instanceof WindowBind bind)) {
                continue;
            }
            long at = staging.request(i);
            long next = Memory.getLong(at + Structs.SendWr.NEXT);
            Memory.putLong(at + Structs.SendWr.NEXT, 0);
            int reason = handOver(first, at, bind);
            if (reason != 0 || next == 0) {
                return reason;
            }
            first = i + 1;
        }
        return IbvSendBatch.handOver(pair, staging, first);
    }

    /// The region is held by the request, the window by its guard: neither can be ended meanwhile.
    private int handOver(int first, long at, WindowBind bind) {
        IbvWindow window = bind.window();
        if (!window.guard.enter()) {
            return notHandedOver(first);
        }
        try {
            if (bind.region().isClosed()) {
                return notHandedOver(first);
            }
            Memory.putLong(at + Structs.SendWr.BIND_MW, window.structure());
            Memory.putLong(at + Structs.SendWr.BIND_MR, bind.region().structure());
            int reason = IbvSendBatch.handOver(pair, staging, first);
            if (reason == 0) {
                window.bound(bind.newKey());
            }
            return reason;
        } finally {
            window.guard.leave();
        }
    }

    private int notHandedOver(int first) {
        Memory.putLong(staging.bad(), staging.request(first));
        return Errno.EINVAL;
    }
}
