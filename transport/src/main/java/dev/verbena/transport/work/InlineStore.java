package dev.verbena.transport.work;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Native memory for bytes that were copied when they were posted, in blocks of one size.
///
/// Comes into being with the first inline request. Chunks are automatic memory: they live as long
/// as the device is reachable.
public final class InlineStore {
    private static final int CHUNK_BLOCKS = 64;
    private static final int CHUNK_SHIFT = 6;

    private final int blockBytes;
    private final List<MemorySegment> chunks = new ArrayList<>();
    private int[] free = new int[0];
    private int freeCount;

    InlineStore(int blockBytes) {
        this.blockBytes = blockBytes;
    }

    int take() {
        if (freeCount == 0) {
            grow();
        }
        return free[--freeCount];
    }

    public int used() {
        return (chunks.size() << CHUNK_SHIFT) - freeCount;
    }

    void give(int block) {
        free[freeCount++] = block;
    }

    MemorySegment segment(long offset) {
        return chunks.get((int) (offset / blockBytes) >> CHUNK_SHIFT);
    }

    /// Where a position of the store lies in its segment.
    long within(long offset) {
        return offset % ((long) blockBytes << CHUNK_SHIFT);
    }

    long offsetOf(int block) {
        return (long) block * blockBytes;
    }

    int blockOf(long offset) {
        return (int) (offset / blockBytes);
    }

    private void grow() {
        int first = chunks.size() << CHUNK_SHIFT;
        chunks.add(Arena.ofAuto().allocate((long) blockBytes << CHUNK_SHIFT, Long.BYTES));
        free = Arrays.copyOf(free, first + CHUNK_BLOCKS);
        for (int i = CHUNK_BLOCKS - 1; i >= 0; i--) {
            free[freeCount++] = first + i;
        }
    }
}
