package dev.verbena.transport.work;

import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.memory.TransportWindow;
import dev.verbena.transport.path.TransportAddressHandle;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.DatagramRules;
import dev.verbena.verbs.spi.InlineRules;
import dev.verbena.verbs.spi.WindowRules;
import dev.verbena.verbs.spi.WorkKind;
import dev.verbena.verbs.spi.WorkRules;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Work requests under construction: linked slots of the device's slab that no queue knows yet.
///
/// All mistakes of a caller are found here, during the call.
final class WorkChain {
    private final WorkHolds holds;
    private final WorkSlab work;
    private final DeviceLimits limits;
    private final int mtu;
    private @Nullable WorkOwner owner;

    /// The service that the requests are for; a shared receive queue has none.
    private QueuePairType type = QueuePairType.RC;

    private int first = WorkSlab.NIL;
    private int last = WorkSlab.NIL;
    private int count;
    private boolean isFull;
    private boolean isForSends;

    WorkChain(WorkHolds holds, DeviceLimits limits, int mtu) {
        this.holds = holds;
        this.work = holds.work;
        this.limits = limits;
        this.mtu = mtu;
    }

    void open(WorkOwner target, boolean forSends) {
        owner = target;
        isForSends = forSends;
        type = target.type();
        first = WorkSlab.NIL;
        last = WorkSlab.NIL;
        count = 0;
        isFull = false;
    }

    /// Whose queue it is for.
    private WorkOwner owner() {
        if (owner == null) {
            throw WorkRules.batchEnded();
        }
        return owner;
    }

    int first() {
        return first;
    }

    int last() {
        return last;
    }

    int count() {
        return count;
    }

    /// Whether the device had no room for all of it.
    boolean isFull() {
        return isFull;
    }

    /// Begins a request. When the device is full it is not begun, and neither are those after it.
    void begin(int kind) {
        WorkOwner target = owner();
        if (!Work.isIn(type, kind)) {
            throw WorkRules.notInService(target, Work.kind(kind), type);
        }
        int slot = isFull ? WorkSlab.NIL : work.take(kind, 0);
        if (slot == WorkSlab.NIL) {
            isFull = true;
            return;
        }
        if (last == WorkSlab.NIL) {
            first = slot;
        } else {
            work.next(last, slot);
        }
        last = slot;
        count++;
    }

    /// The request begun last, or [WorkSlab#NIL] when there was no room for it.
    int current() {
        WorkOwner target = owner();
        if (last == WorkSlab.NIL && !isFull) {
            throw isForSends ? WorkRules.nothingBegun(target) : WorkRules.noReceiveBegun(target);
        }
        return isFull ? WorkSlab.NIL : last;
    }

    void local(MemoryRegion given, long offset, long length) {
        int slot = current();
        if (slot == WorkSlab.NIL) {
            return;
        }
        WorkOwner target = owner();
        WorkKind kind = Work.kind(work.kind(slot));
        if (!(given instanceof TransportRegion region) || !region.isIn(target.domain())) {
            throw WorkRules.foreign(target, kind, given);
        }
        region.requireOpen();
        WorkRules.requireLocal(
                target, kind, region, region.length, region.rightBits, offset, length);
        requireRoom(target, slot, kind, length);
        if (work.pieces(slot) > 0
                && holds.memory.region(work.pieceRegion(slot, 0)).isPhantom()
                        != region.isPhantom()) {
            throw WorkRules.refused(
                    target, kind, "phantom and real memory in one request", "use one of them");
        }
        if (length > 0) {
            if (work.addPiece(slot, region.index, offset, length)) {
                region.acquire();
            } else {
                isFull = true;
            }
        }
    }

    void inline(MemorySegment bytes, long offset, long length) {
        int slot = current();
        if (slot == WorkSlab.NIL) {
            return;
        }
        WorkOwner target = owner();
        WorkKind kind = Work.kind(work.kind(slot));
        long most = Math.min(limits.inlineBytes(), mostBytes(kind));
        boolean hasBytes = work.pieces(slot) > 0;
        InlineRules.check(target, kind, most, hasBytes, bytes, offset, length);
        if (length > 0) {
            int block = holds.inline.take();
            long at = holds.inline.offsetOf(block);
            boolean isCopied = false;
            try {
                MemorySegment.copy(
                        bytes, offset, holds.inline.segment(at), holds.inline.within(at), length);
                isCopied = true;
            } catch (WrongThreadException confined) {
                throw InlineRules.confined(target, kind);
            } finally {
                if (!isCopied) {
                    // It holds what another request has sent.
                    holds.inline.give(block);
                }
            }
            work.addPiece(slot, Placement.INLINE, at, length);
        }
    }

    private void requireRoom(WorkOwner target, int slot, WorkKind kind, long length) {
        int pieces = work.pieces(slot);
        WorkRules.requirePiece(target, kind, pieces, limits.scatterGather(), "use fewer, larger");
        if (pieces > 0 && work.pieceRegion(slot, 0) == Placement.INLINE) {
            throw InlineRules.alreadyInline(target, kind);
        }
        WorkRules.requireMessage(target, kind, work.length(slot), length, mostBytes(kind));
    }

    private long mostBytes(WorkKind kind) {
        return WorkRules.mostBytes(kind, type, mtu, limits.messageBytes());
    }

    /// Says where the datagram begun last goes.
    void to(AddressHandle given, int queuePair, int queueKey) {
        int slot = current();
        if (slot == WorkSlab.NIL) {
            return;
        }
        WorkOwner target = owner();
        WorkKind kind = Work.kind(work.kind(slot));
        DatagramRules.requireDatagram(target, kind, type);
        if (!(given instanceof TransportAddressHandle way) || !way.isIn(target.domain())) {
            throw WorkRules.foreign(target, kind, given);
        }
        way.requireOpen();
        DatagramRules.requireDestination(target, kind, queuePair, work.has(slot, Work.ADDRESSED));
        holds.paths.hold(way.path());
        work.set(slot, Work.ADDRESSED);
        work.to(slot, way.path(), queuePair, queueKey);
    }

    /// Begins a bind.
    void bind(
            MemoryWindow givenWindow,
            MemoryRegion givenRegion,
            long offset,
            long length,
            Set<Access> rights) {
        WorkOwner target = owner();
        ProtectionDomain domain = target.domain();
        if (!(givenWindow instanceof TransportWindow window) || !window.isIn(domain)) {
            throw WorkRules.foreign(target, WorkKind.BIND_WINDOW, givenWindow);
        }
        if (!(givenRegion instanceof TransportRegion region) || !region.isIn(domain)) {
            throw WorkRules.foreign(target, WorkKind.BIND_WINDOW, givenRegion);
        }
        window.requireOpen();
        region.requireOpen();
        int bits =
                WindowRules.check(
                        target, window.type(), region, region.rightBits, offset, length, rights);
        if ((bits & Access.REMOTE_ATOMIC.bit()) != 0 && region.isPhantom()) {
            throw WorkRules.refused(
                    target,
                    WorkKind.BIND_WINDOW,
                    "a phantom region has no value that an atomic could change",
                    "leave REMOTE_ATOMIC out");
        }
        begin(Work.BIND_WINDOW);
        int slot = current();
        if (slot != WorkSlab.NIL) {
            holds.binds.stage(slot, window, region, offset, length, bits);
        }
    }

    /// Cancels the requests that were begun.
    void abandon() {
        int slot = first;
        while (slot != WorkSlab.NIL) {
            int next = work.next(slot);
            holds.retire(slot);
            slot = next;
        }
        forget();
    }

    /// Releases the requests that a queue has taken.
    void forget() {
        owner = null;
        first = WorkSlab.NIL;
        last = WorkSlab.NIL;
        count = 0;
    }
}
