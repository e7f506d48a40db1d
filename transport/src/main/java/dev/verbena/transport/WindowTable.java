package dev.verbena.transport;

import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.WindowType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The memory windows of a device, and how they are bound.
final class WindowTable {
    private final TransportOptions options;
    private final WorkSlab work;
    private final MemoryTable memory;
    private final Places places;
    private @Nullable TransportWindow[] windows = new TransportWindow[1];

    WindowTable(TransportOptions options, WorkSlab work, MemoryTable memory) {
        this.options = options;
        this.work = work;
        this.memory = memory;
        this.places = new Places(options.limits.memoryWindows());
    }

    TransportWindow create(TransportDomain domain, WindowType type) {
        int index = places.take();
        if (index == Places.NONE) {
            throw new LimitExceededException(
                    options.name,
                    "it holds " + places.used() + " memory windows already",
                    "close some, or bind one again and again");
        }
        if (index >= windows.length) {
            windows = Arrays.copyOf(windows, Places.grown(windows.length, index));
        }
        TransportWindow window = new TransportWindow(domain, type, index);
        windows[index] = window;
        window.announce(memory.freshKey());
        return window;
    }

    /// A window that is there: its key is in force, or a bind of it is in flight.
    TransportWindow at(int index) {
        return Objects.requireNonNull(windows[index], "work in flight holds its window");
    }

    void remove(TransportWindow window) {
        windows[window.index] = null;
        places.give(window.index);
    }

    void closeAll() {
        for (int i = 0; i < places.top(); i++) {
            TransportWindow window = windows[i];
            if (window != null) {
                window.close();
            }
        }
    }

    int size() {
        return places.used();
    }

    /// Stores the binding in a work request; all of it was checked. The key is returned now, so
    /// that a later message can carry it.
    void stage(
            int slot,
            TransportWindow window,
            TransportRegion region,
            long offset,
            long length,
            int rights) {
        int key = memory.freshKey();
        work.note(slot, window.remoteKey());
        window.announce(key);
        window.acquire();
        region.acquire();
        work.immediate(slot, key);
        work.remote(slot, region.base + offset, window.index);
        work.operands(slot, length, ((long) region.index << 32) | rights);
    }

    /// Releases the objects of a bind. A bind that was not executed withdraws the key that it
    /// announced.
    void retire(int slot) {
        memory.region(regionOf(slot)).release();
        TransportWindow window = at(work.remoteKey(slot));
        if (!work.has(slot, Work.STARTED) && window.remoteKey() == work.immediate(slot)) {
            window.announce((int) work.note(slot));
        }
        window.release();
    }

    private int regionOf(int slot) {
        return (int) (work.operand(slot, 1) >>> 32);
    }

    /// Carries out a bind; false when window or region do not allow it now (IBA 10.6.7.2.2).
    boolean bind(int slot, TransportQueuePair pair) {
        TransportWindow window = at(work.remoteKey(slot));
        TransportRegion region = memory.region(regionOf(slot));
        boolean isTaken = window.type() == WindowType.TYPE_2 && window.isInUse();
        if (window.isClosed() || region.isClosed() || isTaken) {
            return false;
        }
        memory.endWindow(window);
        long length = work.operand(slot, 0);
        if (length == 0) {
            return true;
        }
        int key = work.immediate(slot);
        if (!memory.putWindow(key, window)) {
            return false;
        }
        work.set(slot, Work.STARTED);
        int rights = (int) work.operand(slot, 1);
        window.bind(region, pair, key, work.remoteAddress(slot), length, rights);
        return true;
    }
}
