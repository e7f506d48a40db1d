package dev.verbena.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// Memory for payload with bytes; it grows to the largest number of packets in flight.
final class PayloadPool {
    private static final int PAYLOAD_MAX = 4096;
    private static final int SLAB = 64;

    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    MemorySegment take() {
        if (free.isEmpty()) {
            MemorySegment slab = Arena.ofAuto().allocate((long) SLAB * PAYLOAD_MAX, 64);
            for (int i = 0; i < SLAB; i++) {
                free.push(slab.asSlice((long) i * PAYLOAD_MAX, PAYLOAD_MAX));
            }
        }
        return free.pop();
    }

    void give(MemorySegment payload) {
        free.push(payload);
    }
}
