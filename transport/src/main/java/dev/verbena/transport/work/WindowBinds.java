package dev.verbena.transport.work;

import dev.verbena.transport.memory.KeyUser;
import dev.verbena.transport.memory.MemoryTable;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.memory.TransportWindow;
import dev.verbena.transport.memory.WindowTable;
import dev.verbena.verbs.WindowType;

/// Work requests that bind windows: what they store, and how they are carried out.
final class WindowBinds {
    private final WorkSlab work;
    private final MemoryTable memory;
    private final WindowTable windows;

    WindowBinds(WorkSlab work, MemoryTable memory, WindowTable windows) {
        this.work = work;
        this.memory = memory;
        this.windows = windows;
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
        TransportWindow window = windows.at(work.remoteKey(slot));
        if (!work.has(slot, Work.STARTED) && window.remoteKey() == work.immediate(slot)) {
            window.announce((int) work.note(slot));
        }
        window.release();
    }

    private int regionOf(int slot) {
        return (int) (work.operand(slot, 1) >>> 32);
    }

    /// Carries out a bind; false when window or region do not allow it now (IBA 10.6.7.2.2).
    boolean bind(int slot, KeyUser user) {
        TransportWindow window = windows.at(work.remoteKey(slot));
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
        window.bind(region, user, key, work.remoteAddress(slot), length, rights);
        return true;
    }
}
