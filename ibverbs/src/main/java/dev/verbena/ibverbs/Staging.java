package dev.verbena.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native memory in which a batch of requests is filled: requests side by side, each with its list
/// of pieces and room for bytes that it carries. Grows with the largest batch.
///
/// The collector frees it, so that a thread which still fills a batch of a closed queue pair writes
/// into memory that is there.
final class Staging {
    private static final int FIRST = 4;

    private final int requestBytes;
    private final int pieceBytes;
    private final int inlineBytes;
    private int size;
    private MemorySegment memory;
    private long base;

    Staging(int requestBytes, int pieces, int inlineBytes) {
        this.requestBytes = requestBytes;
        this.pieceBytes = pieces * Structs.Sge.SIZE;
        this.inlineBytes = (inlineBytes + 7) / 8 * 8;
        this.memory = allocate(FIRST);
        this.base = memory.address();
        this.size = FIRST;
    }

    private MemorySegment allocate(int requests) {
        long each = (long) requestBytes + pieceBytes + inlineBytes;
        // One pointer more, for the request that the library stumbles over.
        return Arena.ofAuto().allocate(each * requests + Structs.POINTER, Structs.POINTER);
    }

    /// Makes room for the request of this index; those before it stay.
    void reach(int index) {
        if (index < size) {
            return;
        }
        MemorySegment old = memory;
        int oldSize = size;
        memory = allocate(size * 2);
        base = memory.address();
        size *= 2;
        keep(old, oldSize, 0, requestBytes);
        keep(old, oldSize, requestBytes, pieceBytes);
        keep(old, oldSize, requestBytes + pieceBytes, inlineBytes);
    }

    /// Takes over one kind of bytes, which lie behind `before` bytes of each request's others.
    private void keep(MemorySegment old, int oldSize, int before, int bytes) {
        MemorySegment.copy(
                old, (long) oldSize * before, memory, (long) size * before, (long) oldSize * bytes);
    }

    long request(int index) {
        return base + (long) index * requestBytes;
    }

    long pieces(int index) {
        return base + (long) size * requestBytes + (long) index * pieceBytes;
    }

    long inline(int index) {
        return base + (long) size * (requestBytes + pieceBytes) + (long) index * inlineBytes;
    }

    /// Where the library writes which request it did not take.
    long bad() {
        return base + (long) size * (requestBytes + pieceBytes + inlineBytes);
    }

    /// Before requests are handed over: a library that refuses them may name none.
    void clearBad() {
        Memory.putLong(bad(), 0);
    }

    /// Which of so many requests the library did not take: the first, when it names none. The
    /// driver of Soft-RoCE does that when the kernel refuses its doorbell.
    int badIndex(int count) {
        long index = (Memory.getLong(bad()) - base) / requestBytes;
        return index >= 0 && index < count ? (int) index : 0;
    }
}
