package dev.verbena.subnet;

import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// The partition tables of host ports and of switches' ports 0. A key stays at its index for as
/// long as the port has it, because queue pairs name indexes; so a table is read before the first
/// block of it is written.
final class KeyTables {
    /// Blocks of a table that are looked at.
    static final int BLOCKS_MAX = 4;

    /// By vertex: entries, as they are and as they are to be.
    private final Map<Integer, char[]> known = new HashMap<>();

    private final Map<Integer, boolean[]> read = new HashMap<>();
    private final Map<Integer, char[]> wanted = new HashMap<>();

    /// How many blocks a port has, of those that are looked at.
    ///
    /// @param cap entries of the table
    static int blocks(int cap) {
        return Math.clamp(Math.ceilDiv(cap, SmpBlocks.PKEYS), 1, BLOCKS_MAX);
    }

    boolean isRead(int vertex, int block) {
        boolean[] blocks = read.get(vertex);
        return blocks != null && blocks[block];
    }

    /// A port has answered with what is in a block.
    void read(int vertex, int block, MemorySegment from, long at) {
        read.computeIfAbsent(vertex, _ -> new boolean[BLOCKS_MAX])[block] = true;
        char[] entries = known.computeIfAbsent(vertex, _ -> fresh());
        for (int i = 0; i < SmpBlocks.PKEYS; i++) {
            entries[block * SmpBlocks.PKEYS + i] = (char) SmpBlocks.pkey(from, at, i);
        }
    }

    private static char[] fresh() {
        return new char[BLOCKS_MAX * SmpBlocks.PKEYS];
    }

    /// Decides where each key of a port goes.
    ///
    /// @param cap entries of the table
    /// @return keys for which there is no room
    int plan(int vertex, int cap, Set<Integer> keys) {
        char[] entries = known.getOrDefault(vertex, fresh()).clone();
        Set<Integer> left = new LinkedHashSet<>(keys);
        int size = Math.min(Math.max(cap, 1), entries.length);
        for (int i = 0; i < entries.length; i++) {
            // A key that is there twice is no use either.
            if (i >= size || !left.remove((int) entries[i])) {
                entries[i] = 0;
            }
        }
        for (int i = 0; i < size && !left.isEmpty(); i++) {
            if (entries[i] == 0) {
                int key = left.iterator().next();
                left.remove(key);
                entries[i] = (char) key;
            }
        }
        wanted.put(vertex, entries);
        return left.size();
    }

    boolean isChanged(int vertex, int block) {
        char[] entries = wanted.get(vertex);
        int from = block * SmpBlocks.PKEYS;
        int end = from + SmpBlocks.PKEYS;
        return entries != null
                && isRead(vertex, block)
                && !Arrays.equals(entries, from, end, known.get(vertex), from, end);
    }

    void write(int vertex, int block, MemorySegment to, long at) {
        char[] entries = wanted.getOrDefault(vertex, fresh());
        for (int i = 0; i < SmpBlocks.PKEYS; i++) {
            SmpBlocks.pkey(to, at, i, entries[block * SmpBlocks.PKEYS + i]);
        }
    }

    /// A port may have lost its table.
    void forget(int vertex) {
        read.remove(vertex);
        known.remove(vertex);
    }
}
