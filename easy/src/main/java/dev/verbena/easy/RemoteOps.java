package dev.verbena.easy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// READs, WRITEs and atomics of a channel: [#SLOTS] at a time, each with registered memory of its
/// own for what the caller does not have in registered memory.
///
/// All calls come with the gate's lock held, and none waits.
final class RemoteOps {
    static final int SLOTS = 64;

    final Gate gate;

    /// Threads that have more to post than there are places.
    private final ArrayDeque<Thread> forPlaces = new ArrayDeque<>();

    final int pieceBytes;
    private final ProtectionDomain domain;
    private final QueuePair pair;
    private final int tagHigh;
    private final IntRing free = IntRing.full(SLOTS);
    private final @Nullable Transfer[] owners = new @Nullable Transfer[SLOTS];
    private final int[] pieces = new int[SLOTS];
    private @Nullable MemoryRegion bounce;

    /// @param tag the upper half of the identifiers of its completions
    RemoteOps(Gate gate, ProtectionDomain domain, QueuePair pair, int messageBytes, int tag) {
        this.gate = gate;
        this.domain = domain;
        this.pair = pair;
        pieceBytes = messageBytes / 8 * 8;
        tagHigh = tag;
    }

    boolean hasFree() {
        return !free.isEmpty();
    }

    /// Posts as many pieces of a transfer as there are places, with one doorbell.
    void post(Transfer transfer) {
        if (!transfer.hasMore() || free.isEmpty()) {
            return;
        }
        MemoryRegion own = bounce();
        SendBatch batch = pair.sends();
        IntRing taken = new IntRing(SLOTS);
        boolean isPosted = false;
        try {
            while (transfer.hasMore() && !free.isEmpty()) {
                int slot = free.take();
                taken.add(slot);
                int index = transfer.next();
                owners[slot] = transfer;
                pieces[slot] = index;
                add(batch, transfer.piece(index), own, (long) slot * pieceBytes);
                batch.id(RdmaLane.id(tagHigh, RdmaLane.OPERATION, slot)).signaled();
            }
            isPosted = batch.post();
            assert isPosted : "the send queue has room for all that have a place";
        } finally {
            if (!isPosted) {
                takeBack(batch, transfer, taken);
            }
        }
    }

    /// The caller's memory was closed or is another thread's, or the queue pair has failed.
    private void takeBack(SendBatch batch, Transfer transfer, IntRing taken) {
        try {
            batch.abort();
        } catch (VerbsException over) {
            // The batch ended with its queue pair.
        }
        while (!taken.isEmpty()) {
            int slot = taken.take();
            transfer.dropped(pieces[slot]);
            release(slot);
        }
    }

    private void add(SendBatch batch, Piece piece, MemoryRegion own, long at) {
        long address = piece.address();
        int key = piece.key();
        switch (piece.kind()) {
            case READ -> batch.read(address, key);
            case WRITE -> batch.write(address, key);
            case COMPARE_AND_SWAP ->
                    batch.compareAndSwap(address, key, piece.expected(), piece.operand());
            case FETCH_AND_ADD -> batch.fetchAndAdd(address, key, piece.operand());
        }
        PooledBuffer registered = piece.registered();
        if (registered != null) {
            batch.local(registered.region(), registered.at() + piece.offset(), piece.bytes());
            return;
        }
        if (piece.kind() == Piece.Kind.WRITE) {
            MemorySegment from = piece.localOrThrow();
            MemorySegment.copy(from, piece.offset(), own.segment(), at, piece.bytes());
        }
        batch.local(own, at, piece.bytes());
    }

    private MemoryRegion bounce() {
        if (bounce == null) {
            bounce = domain.allocate((long) SLOTS * pieceBytes, Access.LOCAL_WRITE);
        }
        return bounce;
    }

    /// An operation has succeeded; its place is free when the caller has copied the result.
    void completed(int slot) {
        Transfer transfer = owners[slot];
        if (transfer == null) {
            throw new AssertionError("no operation has place " + slot);
        }
        if (transfer.completed(slot, pieces[slot])) {
            release(slot);
        }
        gate.wake(waiting(transfer));
    }

    /// The list for the thread of a transfer: only that thread looks at its results.
    ArrayDeque<Thread> waiting(Transfer transfer) {
        return transfer.hasMore() ? forPlaces : transfer.waiting;
    }

    /// Copies results that are here to the caller's memory, by the caller's thread.
    void collect(Transfer transfer) {
        while (transfer.hasReady()) {
            int slot = transfer.takeReady();
            MemoryRegion own = bounce();
            transfer.store(pieces[slot], own.segment(), (long) slot * pieceBytes);
            release(slot);
        }
    }

    /// The caller waits no longer: results that are still to come are dropped.
    void abandon(Transfer transfer) {
        transfer.abandon();
        while (transfer.hasReady()) {
            release(transfer.takeReady());
        }
    }

    private void release(int slot) {
        owners[slot] = null;
        free.add(slot);
        gate.wake(forPlaces);
    }

    void wakeAll() {
        gate.wake(forPlaces);
        for (Transfer transfer : owners) {
            if (transfer != null) {
                gate.wake(transfer.waiting);
            }
        }
    }

    /// After the queue pair is closed; unpins the buffers of operations that never end.
    void end() {
        for (int slot = 0; slot < SLOTS; slot++) {
            Transfer transfer = owners[slot];
            if (transfer != null) {
                transfer.dropped(pieces[slot]);
                owners[slot] = null;
            }
        }
        if (bounce != null) {
            bounce.close();
        }
    }
}
