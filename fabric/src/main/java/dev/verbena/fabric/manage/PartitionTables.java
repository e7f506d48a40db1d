package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The partition tables of a node's ports. A port that a manager has not changed has the default
/// partition alone, and takes no memory.
final class PartitionTables {
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final int entries;
    private final Map<Integer, short[]> tables = new HashMap<>();

    PartitionTables(int entries) {
        this.entries = entries;
    }

    boolean hasBlock(int block) {
        return block * SmpBlocks.PKEYS < entries;
    }

    void read(int port, int block, MemorySegment to, long at) {
        to.asSlice(at, Smp.DATA_LENGTH).fill((byte) 0);
        short[] table = tables.get(port);
        for (int i = 0; i < SmpBlocks.PKEYS; i++) {
            int index = block * SmpBlocks.PKEYS + i;
            if (table == null && index == 0) {
                SmpBlocks.pkey(to, at, i, DEFAULT_PKEY);
            } else if (table != null && index < entries) {
                SmpBlocks.pkey(to, at, i, table[index]);
            }
        }
    }

    void write(int port, int block, MemorySegment from, long at) {
        short[] table = tables.computeIfAbsent(port, _ -> fresh());
        for (int i = 0; i < SmpBlocks.PKEYS; i++) {
            int index = block * SmpBlocks.PKEYS + i;
            if (index < entries) {
                table[index] = (short) SmpBlocks.pkey(from, at, i);
            }
        }
    }

    private short[] fresh() {
        short[] table = new short[entries];
        table[0] = (short) DEFAULT_PKEY;
        return table;
    }

    /// All entries up to the last one in use.
    List<Integer> keys(int port) {
        short[] table = tables.get(port);
        if (table == null) {
            return List.of(DEFAULT_PKEY);
        }
        int used = table.length;
        while (used > 1 && table[used - 1] == 0) {
            used--;
        }
        List<Integer> keys = new ArrayList<>(used);
        for (int i = 0; i < used; i++) {
            keys.add(table[i] & 0xFFFF);
        }
        return keys;
    }
}
