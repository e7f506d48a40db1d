package dev.verbena.ibverbs.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// Memory of structures that the library hands out. Freed memory is not given out again and holds a
/// pattern, so that its use shows.
final class Heap {
    private static final byte FREED = 0x6B;
    private static final int ALIGNMENT = 16;

    private final Arena arena = Arena.ofAuto();
    private final Map<Long, MemorySegment> used = new HashMap<>();

    long allocate(long bytes) {
        MemorySegment memory = arena.allocate(bytes, ALIGNMENT);
        used.put(memory.address(), memory);
        return memory.address();
    }

    long allocate(CStruct layout) {
        return allocate(layout.size());
    }

    /// A copy of other memory, until the driver ends.
    long copy(long address, long bytes) {
        return arena.allocate(bytes, ALIGNMENT).copyFrom(CStruct.memory(address, bytes)).address();
    }

    /// Whether it was in use.
    boolean free(long address) {
        MemorySegment memory = used.remove(address);
        if (memory == null) {
            return false;
        }
        memory.fill(FREED);
        return true;
    }

    int used() {
        return used.size();
    }
}
