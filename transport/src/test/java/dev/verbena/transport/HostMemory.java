package dev.verbena.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Native memory that the areas of one host are cut from, with canaries between them.
///
/// It is used for seed after seed; nothing is freed.
final class HostMemory {
    private static final int BYTES = 16 << 20;
    private static final int GUARD = 64;
    private static final byte CANARY = (byte) 0xC5;
    private static final MemorySegment GUARD_BYTES = filled(GUARD, CANARY);

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
    private final long[] guards = new long[1024];
    private int areas;
    private long top;

    static MemorySegment filled(int bytes, byte value) {
        return Arena.ofAuto().allocate(bytes, 64).fill(value);
    }

    /// Starts anew; what was cut before may be cut again.
    void clear() {
        top = 0;
        areas = 0;
        guard();
    }

    /// A piece that starts at a multiple of 64 and has canaries around it.
    MemorySegment cut(int bytes) {
        MemorySegment piece = memory.asSlice(top, bytes);
        top += bytes;
        guard();
        return piece;
    }

    /// Fails when a byte between the areas was touched.
    void check() {
        for (int i = 0; i < areas; i++) {
            long at = guards[i];
            long touched = MemorySegment.mismatch(memory, at, at + GUARD, GUARD_BYTES, 0, GUARD);
            if (touched >= 0) {
                throw new AssertionError(
                        "canary %d, byte %d was overwritten with 0x%02x"
                                .formatted(
                                        i,
                                        touched,
                                        memory.get(ValueLayout.JAVA_BYTE, at + touched)));
            }
        }
    }

    private void guard() {
        guards[areas++] = top;
        MemorySegment.copy(GUARD_BYTES, 0, memory, top, GUARD);
        top = (top + GUARD + 63) & -64;
    }
}
