package dev.verbena.transport.work;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.memory.KeyUser;
import dev.verbena.transport.memory.MemoryTable;
import dev.verbena.transport.memory.WindowTable;
import dev.verbena.transport.path.PathTable;
import dev.verbena.verbs.CompletionStatus;

/// What the work requests of a device hold until they are over: slots, inline bytes, memory,
/// windows, the path of a datagram.
public final class WorkHolds {
    public final WorkSlab work;
    public final InlineStore inline;
    public final MemoryTable memory;
    public final PathTable paths;
    final WindowBinds binds;
    public final Placement placement;
    public final Counters counters;

    public WorkHolds(
            DeviceSettings settings,
            MemoryTable memory,
            WindowTable windows,
            PathTable paths,
            Counters counters) {
        this.work = new WorkSlab(settings.limits.workRequestsInAll());
        this.inline = new InlineStore(settings.limits.inlineBytes());
        this.memory = memory;
        this.paths = paths;
        this.binds = new WindowBinds(work, memory, windows);
        this.placement = new Placement(work, inline, memory);
        this.counters = counters;
    }

    /// Gives up a work request that is over: its slot, its bytes, its hold on memory.
    public void retire(int slot) {
        int pieces = work.pieces(slot);
        for (int i = 0; i < pieces; i++) {
            int region = work.pieceRegion(slot, i);
            if (region == Placement.INLINE) {
                inline.give(inline.blockOf(work.pieceOffset(slot, i)));
            } else {
                memory.region(region).release();
            }
        }
        if (work.kind(slot) == Work.BIND_WINDOW) {
            binds.retire(slot);
        } else if (work.has(slot, Work.ADDRESSED)) {
            paths.release(work.path(slot));
        }
        work.give(slot);
    }

    /// Carries out a request that needs no packet, the oldest of its queue: the end of a key, or
    /// the binding of a window. Returns how it ended.
    public CompletionStatus carryOut(KeyUser pair, int slot) {
        if (work.kind(slot) == Work.BIND_WINDOW) {
            boolean bound = binds.bind(slot, pair);
            counters.add(bound ? Counter.BOUND_WINDOW : Counter.BIND_FAILED);
            return bound ? CompletionStatus.SUCCESS : CompletionStatus.WINDOW_BIND_ERROR;
        }
        boolean ended = memory.invalidate(work.immediate(slot), pair);
        counters.add(ended ? Counter.LOCAL_INVALIDATED : Counter.LOCAL_INVALIDATE_FAILED);
        return ended ? CompletionStatus.SUCCESS : CompletionStatus.LOCAL_QUEUE_PAIR_ERROR;
    }
}
