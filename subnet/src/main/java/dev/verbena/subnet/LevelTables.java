package dev.verbena.subnet;

import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// The tables of virtual lanes of all ports: the lane of each service level, and the weights of
/// lanes.
///
/// With n lanes, level s goes in lane s modulo n, whichever port it comes by; all lanes have the
/// same weight, in the table of low priority. So what was written is known by n alone.
final class LevelTables {
    /// The blocks of the two tables of an arbiter.
    static final int LOW = 1;

    static final int HIGH = 3;

    /// In units of 64 bytes: a packet of the largest MTU.
    private static final int WEIGHT = 64;

    private static final int LANES_MAX = 15;

    private final SubnetGraph graph;

    /// Lanes that are used at most; 0: all that links have.
    private final int lanesMax;

    /// By outgoing slot and number of the port that packets come by, the lanes of the table that
    /// the port has; 0: not known.
    private final Map<Integer, byte[]> levels = new HashMap<>();

    /// By slot, the same for the two tables of its arbiter.
    private final Map<Integer, byte[]> weights = new HashMap<>();

    LevelTables(SubnetGraph graph, int lanesMax) {
        this.graph = graph;
        this.lanesMax = lanesMax;
    }

    /// Lanes of the packets that leave by a port: as many as both ends of its link have, and as its
    /// arbiter has entries.
    int lanes(int slot) {
        int peer = graph.peer(slot);
        if (peer == SubnetGraph.NONE) {
            return 1;
        }
        int both = Math.min(read(slot, PortInfo.VL_CAP), read(peer, PortInfo.VL_CAP));
        int count = both > 4 ? LANES_MAX : both < 2 ? 1 : 1 << (both - 1);
        count = Math.min(count, Math.max(1, read(slot, PortInfo.VL_ARBITRATION_LOW_CAP)));
        count = Math.min(count, SmpBlocks.ARBITRATION_ENTRIES);
        return lanesMax == 0 ? count : Math.min(count, lanesMax);
    }

    private int read(int slot, MadField field) {
        return field.readInt(graph.infos(), graph.infoAt(slot));
    }

    /// Queues what a node does not have yet.
    void queue(int vertex, LongQueue tasks) {
        int first = graph.ownSlot(vertex);
        int end = graph.endSlot(vertex);
        for (int slot = first; slot < end; slot++) {
            // One lane needs no tables.
            if (lanes(slot) > 1) {
                for (int in = first; in < end; in++) {
                    boolean isWay = graph.isSwitch(vertex) ? in != slot : in == slot;
                    boolean isUsed = in == first || graph.peer(in) != SubnetGraph.NONE;
                    if (isWay && isUsed && isOther(slot, in - first)) {
                        tasks.add(SmpKind.SET_LEVELS.at(slot, in - first));
                    }
                }
                queueWeights(slot, LOW, tasks);
                if (read(slot, PortInfo.VL_ARBITRATION_HIGH_CAP) > 0) {
                    queueWeights(slot, HIGH, tasks);
                }
            }
        }
    }

    private void queueWeights(int slot, int block, LongQueue tasks) {
        byte[] known = weights.get(slot);
        if (known == null || known[block] != lanes(slot)) {
            tasks.add(SmpKind.SET_WEIGHTS.at(slot, block));
        }
    }

    private boolean isOther(int slot, int in) {
        byte[] known = levels.get(slot);
        return known == null || known[in] != lanes(slot);
    }

    /// The attribute modifier of a table of levels (IBA 14.2.5.8).
    int modifier(int slot, int in) {
        return graph.isSwitch(graph.owner(slot)) ? in << 8 | graph.port(slot) : 0;
    }

    void writeLevels(int slot, MemorySegment to, long at) {
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            SmpBlocks.lane(to, at, level, level % lanes(slot));
        }
    }

    void writeWeights(int slot, int block, MemorySegment to, long at) {
        for (int lane = 0; block == LOW && lane < lanes(slot); lane++) {
            SmpBlocks.arbitration(to, at, lane, lane, WEIGHT);
        }
    }

    /// A port has answered with a table of levels; returns whether it is what it is to be.
    boolean wroteLevels(int slot, int in, MemorySegment from) {
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            if (SmpBlocks.lane(from, Smp.DATA, level) != level % lanes(slot)) {
                return false;
            }
        }
        int ports = graph.endSlot(graph.owner(slot)) - graph.ownSlot(graph.owner(slot));
        levels.computeIfAbsent(slot, _ -> new byte[ports])[in] = (byte) lanes(slot);
        return true;
    }

    /// The same of a table of weights.
    boolean wroteWeights(int slot, int block, MemorySegment from) {
        MemorySegment wanted = MemorySegment.ofArray(new byte[Smp.DATA_LENGTH]);
        writeWeights(slot, block, wanted, 0);
        int cap =
                read(
                        slot,
                        block == LOW
                                ? PortInfo.VL_ARBITRATION_LOW_CAP
                                : PortInfo.VL_ARBITRATION_HIGH_CAP);
        for (int i = 0; i < Math.min(cap, SmpBlocks.ARBITRATION_ENTRIES); i++) {
            int weight = SmpBlocks.arbitrationWeight(wanted, 0, i);
            boolean isSame =
                    SmpBlocks.arbitrationWeight(from, Smp.DATA, i) == weight
                            && (weight == 0 || SmpBlocks.arbitrationLane(from, Smp.DATA, i) == i);
            if (!isSame) {
                return false;
            }
        }
        weights.computeIfAbsent(slot, _ -> new byte[HIGH + 1])[block] = (byte) lanes(slot);
        return true;
    }

    /// The link of a port came up: its node may have lost its tables.
    void forget(int slot) {
        int vertex = graph.owner(slot);
        levels.remove(slot);
        weights.remove(slot);
        int in = slot - graph.ownSlot(vertex);
        for (int out = graph.ownSlot(vertex); out < graph.endSlot(vertex); out++) {
            byte[] known = levels.get(out);
            if (known != null) {
                known[in] = 0;
            }
        }
    }

    /// The least lanes of links between switches, and where that is.
    record Least(int lanes, String where) {}

    Least least() {
        Least least = new Least(LANES_MAX, "");
        for (int slot = 0; slot < graph.slots(); slot++) {
            int other = graph.neighbour(slot);
            int vertex = graph.owner(slot);
            boolean isBetween =
                    other != SubnetGraph.NONE
                            && graph.isSwitch(vertex)
                            && graph.isSwitch(other)
                            && graph.isPresent(vertex);
            if (isBetween && lanes(slot) < least.lanes) {
                String where =
                        "port %d of switch 0x%016x".formatted(graph.port(slot), graph.guid(vertex));
                least = new Least(lanes(slot), where);
            }
        }
        return least;
    }
}
