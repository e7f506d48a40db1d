package dev.verbena.easy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;

/// The work requests of one call, and how far they are. Guarded by the channel's gate.
final class Transfer {
    /// The thread of the call, while it waits for results.
    final ArrayDeque<Thread> waiting = new ArrayDeque<>(1);

    private final List<Piece> pieces;
    private final IntRing ready = new IntRing(RemoteOps.SLOTS);
    private int next;
    private int left;
    private boolean isAbandoned;
    private long previous;

    Transfer(List<Piece> pieces) {
        this.pieces = pieces;
        left = pieces.size();
        int pinned = 0;
        try {
            for (Piece piece : pieces) {
                PooledBuffer buffer = piece.registered();
                if (buffer != null) {
                    buffer.pin();
                }
                pinned++;
            }
        } finally {
            // A buffer was released meanwhile: those before it are free again.
            for (int i = 0; i < pinned && pinned < pieces.size(); i++) {
                dropped(i);
            }
        }
    }

    boolean hasMore() {
        return next < pieces.size();
    }

    int next() {
        return next++;
    }

    Piece piece(int index) {
        return pieces.get(index);
    }

    boolean isDone() {
        return left == 0;
    }

    /// Returns whether the place is free, because no result has to be copied from it.
    boolean completed(int slot, int index) {
        Piece piece = pieces.get(index);
        PooledBuffer buffer = piece.registered();
        if (buffer != null) {
            buffer.unpin();
        }
        if (isAbandoned) {
            return true;
        }
        if (piece.kind() == Piece.Kind.WRITE || buffer != null) {
            left--;
            return true;
        }
        ready.add(slot);
        return false;
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    int takeReady() {
        return ready.take();
    }

    /// Takes a result from the memory of its place.
    void store(int index, MemorySegment from, long at) {
        Piece piece = pieces.get(index);
        if (piece.isAtomic()) {
            previous = from.get(ValueLayout.JAVA_LONG, at);
        } else {
            MemorySegment.copy(from, at, piece.localOrThrow(), piece.offset(), piece.bytes());
        }
        left--;
    }

    /// What an atomic found.
    long previous() {
        return previous;
    }

    /// What was not posted never will be.
    void abandon() {
        isAbandoned = true;
        while (hasMore()) {
            dropped(next());
        }
    }

    /// The request will not complete.
    void dropped(int index) {
        PooledBuffer buffer = pieces.get(index).registered();
        if (buffer != null) {
            buffer.unpin();
        }
    }
}
