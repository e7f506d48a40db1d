package dev.verbena.subnet;

import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The multicast forwarding tables of all switches, as they are to be and as the switches have
/// them. A block holds the ports of 32 groups, of 16 ports each; a block that no group has used is
/// not written.
final class GroupTables {
    private static final int POSITION = 16;
    private static final int MODIFIER_POSITION = 28;

    /// By vertex and block.
    private final Map<Integer, Map<Integer, char[]>> wanted = new HashMap<>();

    private final Map<Integer, Map<Integer, char[]>> written = new HashMap<>();

    /// Sets the ports of a group at a switch.
    ///
    /// @param index of the group's LID, from 0
    /// @param portCount of the switch
    void set(int vertex, int portCount, int index, BitSet ports) {
        for (int position = 0; position <= portCount / SmpBlocks.MASK_PORTS; position++) {
            int mask = 0;
            for (int i = 0; i < SmpBlocks.MASK_PORTS; i++) {
                mask |= ports.get(position * SmpBlocks.MASK_PORTS + i) ? 1 << i : 0;
            }
            Map<Integer, char[]> blocks = wanted.computeIfAbsent(vertex, _ -> new HashMap<>());
            int block = position << POSITION | index / SmpBlocks.GROUPS;
            if (mask != 0 || blocks.containsKey(block)) {
                blocks.computeIfAbsent(block, _ -> new char[SmpBlocks.GROUPS])[
                                index % SmpBlocks.GROUPS] =
                        (char) mask;
            }
        }
    }

    /// The blocks that a switch does not have as they are to be.
    int[] changed(int vertex) {
        return wanted.getOrDefault(vertex, Map.of()).keySet().stream()
                .filter(block -> isChanged(vertex, block))
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    boolean isChanged(int vertex, int block) {
        char[] own = wanted.getOrDefault(vertex, Map.of()).get(block);
        char[] known = written.getOrDefault(vertex, Map.of()).get(block);
        return own != null && !Arrays.equals(own, known);
    }

    /// Whether it is known what a switch has in a block.
    boolean isRead(int vertex, int block) {
        return written.getOrDefault(vertex, Map.of()).containsKey(block);
    }

    /// The blocks in which the ports of groups are.
    ///
    /// @param highest index of a group's LID
    static int[] blocks(int portCount, int highest) {
        int positions = portCount / SmpBlocks.MASK_PORTS + 1;
        int each = highest / SmpBlocks.GROUPS + 1;
        return IntStream.range(0, positions * each)
                .map(it -> (it / each) << POSITION | (it % each))
                .toArray();
    }

    /// A switch has answered what it has, of which an earlier manager may have left too much.
    void read(int vertex, int block, MemorySegment from, long at) {
        written(vertex, block, from, at);
        wanted.computeIfAbsent(vertex, _ -> new HashMap<>())
                .computeIfAbsent(block, _ -> new char[SmpBlocks.GROUPS]);
    }

    static int modifier(int block) {
        return (block >>> POSITION) << MODIFIER_POSITION | (block & 0x1FF);
    }

    void write(int vertex, int block, MemorySegment to, long at) {
        char[] masks = wanted.getOrDefault(vertex, Map.of()).get(block);
        for (int i = 0; i < SmpBlocks.GROUPS; i++) {
            SmpBlocks.ports(to, at, i, masks == null ? 0 : masks[i]);
        }
    }

    /// A switch has answered with what is in a block now.
    void written(int vertex, int block, MemorySegment from, long at) {
        char[] masks = new char[SmpBlocks.GROUPS];
        for (int i = 0; i < SmpBlocks.GROUPS; i++) {
            masks[i] = (char) SmpBlocks.ports(from, at, i);
        }
        written.computeIfAbsent(vertex, _ -> new HashMap<>()).put(block, masks);
    }

    /// The ports of each group at a switch, by the index of the group's LID.
    SortedMap<Integer, BitSet> groups(int vertex) {
        SortedMap<Integer, BitSet> groups = new TreeMap<>();
        wanted.getOrDefault(vertex, Map.of()).forEach((block, masks) -> add(block, masks, groups));
        return groups;
    }

    private static void add(int block, char[] masks, Map<Integer, BitSet> groups) {
        int firstPort = (block >>> POSITION) * SmpBlocks.MASK_PORTS;
        int firstIndex = (block & 0x1FF) * SmpBlocks.GROUPS;
        for (int i = 0; i < masks.length; i++) {
            BitSet ports = BitSet.valueOf(new long[] {masks[i]});
            int index = firstIndex + i;
            ports.stream()
                    .forEach(
                            port ->
                                    groups.computeIfAbsent(index, _ -> new BitSet())
                                            .set(firstPort + port));
        }
    }

    /// A switch may have lost its table.
    void forget(int vertex) {
        written.remove(vertex);
    }
}
