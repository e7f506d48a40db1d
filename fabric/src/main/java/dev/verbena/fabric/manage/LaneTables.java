package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// What a manager has written of virtual lanes, and tells those who ask. Tables that it has not
/// written take no memory. Links use the lanes and weights of the fabric's settings.
final class LaneTables {
    private final Map<Integer, Long> levels = new HashMap<>();
    private final Map<Integer, byte[]> arbitration = new HashMap<>();

    void writeLevels(int in, int out, MemorySegment from, long at) {
        long packed = 0;
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            packed |= (long) SmpBlocks.lane(from, at, level) << (4 * level);
        }
        levels.put(in << 8 | out, packed);
    }

    void readLevels(int in, int out, int lanes, MemorySegment to, long at) {
        to.asSlice(at, Smp.DATA_LENGTH).fill((byte) 0);
        Long packed = levels.get(in << 8 | out);
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            int lane = packed == null ? level % lanes : (int) (packed >>> (4 * level)) & 0xF;
            SmpBlocks.lane(to, at, level, lane);
        }
    }

    void writeArbitration(int port, int block, MemorySegment from, long at) {
        byte[] entries = new byte[Smp.DATA_LENGTH];
        MemorySegment.copy(from, at, MemorySegment.ofArray(entries), 0, entries.length);
        arbitration.put(block << 16 | port, entries);
    }

    void readArbitration(int port, int block, MemorySegment to, long at) {
        to.asSlice(at, Smp.DATA_LENGTH).fill((byte) 0);
        byte[] entries = arbitration.get(block << 16 | port);
        if (entries != null) {
            MemorySegment.copy(MemorySegment.ofArray(entries), 0, to, at, entries.length);
        } else {
            SmpBlocks.arbitration(to, at, 0, 0, 64);
        }
    }
}
