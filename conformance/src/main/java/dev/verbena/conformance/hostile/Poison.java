package dev.verbena.conformance.hostile;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/// Memory that is never registered. It is likely to lie where closed memory was: a device that
/// still sends from there sends its bytes, and one that still writes there changes them.
final class Poison {
    static final byte BYTE = (byte) 0xEE;

    private static final long WORD = 0xEEEE_EEEE_EEEE_EEEEL;
    private static final int BLOCKS = 4;

    private Poison() {}

    /// Fills some blocks, and looks at them before they are freed.
    static void spread(RandomGenerator random, Runnable meanwhile) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] blocks = new MemorySegment[BLOCKS];
            for (int i = 0; i < BLOCKS; i++) {
                blocks[i] = arena.allocate(Side.size(random), 8);
                blocks[i].fill(BYTE);
            }
            meanwhile.run();
            for (MemorySegment block : blocks) {
                for (long at = 0; at < block.byteSize(); at += 8) {
                    long found = block.get(ValueLayout.JAVA_LONG, at);
                    if (found != WORD) {
                        throw new AssertionError(
                                "foreign memory was written to: 0x%x".formatted(found));
                    }
                }
            }
        }
    }
}
