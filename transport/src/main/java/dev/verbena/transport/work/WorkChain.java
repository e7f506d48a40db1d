package dev.verbena.transport.work;

import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.memory.TransportWindow;
import dev.verbena.transport.path.TransportAddressHandle;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Work requests under construction: linked slots of the device's slab that no queue knows yet.
///
/// All mistakes of a caller are found here, during the call.
final class WorkChain {
    private final WorkStore store;
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

    WorkChain(WorkStore store, DeviceLimits limits, int mtu) {
        this.store = store;
        this.work = store.work;
        this.limits = limits;
        this.mtu = mtu;
    }

    void open(WorkOwner target) {
        owner = target;
        type = target.type();
        first = WorkSlab.NIL;
        last = WorkSlab.NIL;
        count = 0;
        isFull = false;
    }

    /// Whose queue it is for.
    private WorkOwner owner() {
        if (owner == null) {
            throw new WrongStateException(
                    "batch",
                    "it was posted or given up",
                    "begin the next one with sends() or receives()");
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
        owner();
        if (!Work.isIn(type, kind)) {
            throw refused(kind, "the service " + type + " does not have it", "use another, or RC");
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
            throw new InvalidRequestException(
                    target.toString(), "no request was begun", "begin one with send() or another");
        }
        return isFull ? WorkSlab.NIL : last;
    }

    void local(MemoryRegion given, long offset, long length) {
        int slot = current();
        if (slot == WorkSlab.NIL) {
            return;
        }
        int kind = work.kind(slot);
        if (!(given instanceof TransportRegion region) || !region.isIn(owner().domain())) {
            throw refused(
                    kind,
                    given + " belongs to another protection domain",
                    "use an object of this queue pair's domain");
        }
        region.requireOpen();
        if (offset < 0 || length < 0 || offset > region.length - length) {
            throw refused(
                    kind,
                    "no bytes %d to %d in %s".formatted(offset, offset + length, region),
                    "stay inside the region");
        }
        if (Work.isLocal(kind)) {
            throw refused(kind, "it moves no bytes", "leave local() out");
        }
        if (Work.fillsLocal(kind) && (region.rightBits & Access.LOCAL_WRITE.bit()) == 0) {
            throw refused(kind, region + " may not be written", "give it LOCAL_WRITE");
        }
        requireRoom(slot, kind, length);
        if (work.pieces(slot) > 0
                && store.memory.region(work.pieceRegion(slot, 0)).isPhantom()
                        != region.isPhantom()) {
            throw refused(kind, "phantom and real memory in one request", "use one of them");
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
        int kind = work.kind(slot);
        if (!Work.takesInline(kind)) {
            throw refused(kind, "it cannot carry bytes inline", "name memory with local()");
        }
        int limit = (int) Math.min(limits.inlineBytes(), mostBytes(kind));
        if (work.pieces(slot) > 0 || length > limit) {
            throw refused(
                    kind,
                    length > limit
                            ? length + " bytes are too many to be inline"
                            : "it has other bytes already",
                    "use one inline() of at most " + limit + " bytes, or local()");
        }
        if (!bytes.scope().isAlive()) {
            throw refused(kind, "the arena of the inline bytes is closed", "post before closing");
        }
        if (offset < 0 || length < 0 || offset > bytes.byteSize() - length) {
            throw refused(
                    kind,
                    "no bytes %d to %d in the segment".formatted(offset, offset + length),
                    "it has " + bytes.byteSize() + " bytes");
        }
        if (length > 0) {
            int block = store.inline.take();
            long at = store.inline.offsetOf(block);
            boolean isCopied = false;
            try {
                MemorySegment.copy(
                        bytes, offset, store.inline.segment(at), store.inline.within(at), length);
                isCopied = true;
            } catch (WrongThreadException confined) {
                throw refused(
                        kind,
                        "the inline bytes are confined to another thread",
                        "post on the thread that owns them");
            } finally {
                if (!isCopied) {
                    // It holds what another request has sent.
                    store.inline.give(block);
                }
            }
            work.addPiece(slot, Placement.INLINE, at, length);
        }
    }

    private void requireRoom(int slot, int kind, long length) {
        int pieces = work.pieces(slot);
        if (pieces == limits.scatterGather()) {
            throw refused(kind, "more than " + pieces + " pieces of memory", "use fewer, larger");
        }
        if (pieces > 0 && work.pieceRegion(slot, 0) == Placement.INLINE) {
            throw refused(kind, "it has inline bytes already", "use inline() or local()");
        }
        long most = mostBytes(kind);
        if (length > most - work.length(slot)) {
            throw refused(kind, "a message of more than " + most + " bytes", "split it");
        }
    }

    /// IBA 9.8.4: a datagram is one packet.
    private long mostBytes(int kind) {
        if (type == QueuePairType.UD && kind != Work.RECEIVE) {
            return mtu;
        }
        return Work.isAtomic(kind) ? Long.BYTES : limits.messageBytes();
    }

    /// Says where the datagram begun last goes.
    void to(AddressHandle given, int queuePair, int queueKey) {
        int slot = current();
        if (slot == WorkSlab.NIL) {
            return;
        }
        int kind = work.kind(slot);
        if (type != QueuePairType.UD) {
            throw refused(kind, "it goes to the queue pair's peer", "leave to() out");
        }
        if (!(given instanceof TransportAddressHandle way) || !way.isIn(owner().domain())) {
            throw refused(
                    kind,
                    given + " belongs to another domain",
                    "use an object of this queue pair's domain");
        }
        way.requireOpen();
        if (queuePair < 0 || queuePair > QueuePair.MULTICAST_NUMBER) {
            throw refused(kind, "no queue pair " + queuePair, "a number has 24 bits");
        }
        if (work.has(slot, Work.ADDRESSED)) {
            throw refused(kind, "it already has a destination", "call to() once");
        }
        store.paths.hold(way.path());
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
        int kind = Work.BIND_WINDOW;
        ProtectionDomain domain = owner().domain();
        if (!(givenWindow instanceof TransportWindow window) || !window.isIn(domain)) {
            throw refused(
                    kind,
                    givenWindow + " belongs to another domain",
                    "use an object of this queue pair's domain");
        }
        if (!(givenRegion instanceof TransportRegion region) || !region.isIn(domain)) {
            throw refused(
                    kind,
                    givenRegion + " belongs to another domain",
                    "use an object of this queue pair's domain");
        }
        window.requireOpen();
        region.requireOpen();
        int bits = Access.bits(rights);
        WindowRules.check(this, window, region, offset, length, bits);
        begin(kind);
        int slot = current();
        if (slot != WorkSlab.NIL) {
            store.binds.stage(slot, window, region, offset, length, bits);
        }
    }

    /// Cancels the requests that were begun.
    void abandon() {
        int slot = first;
        while (slot != WorkSlab.NIL) {
            int next = work.next(slot);
            store.retire(slot);
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

    InvalidRequestException refused(int kind, String problem, String remedy) {
        return new InvalidRequestException(owner() + ", " + Work.title(kind), problem, remedy);
    }
}
