package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a manager has written of virtual lanes, in force as far as links have the lanes. Tables
/// that it has not written take no memory, and their ports use the lanes and weights of the
/// fabric's settings.
final class LaneTables {
    static final int LOW = 1;
    static final int HIGH = 3;

    private static final int DROPPED = 15;
    private static final int LANES_MAX = 15;

    private final Plane plane;
    private final int node;
    private final PortTable ports;
    private final Map<Integer, Long> levels = new HashMap<>();
    private final Map<Integer, byte[]> arbitration = new HashMap<>();

    LaneTables(Plane plane, int node, PortTable ports) {
        this.plane = plane;
        this.node = node;
        this.ports = ports;
    }

    void writeLevels(int in, int out, MemorySegment from, long at) {
        long packed = 0;
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            packed |= (long) SmpBlocks.lane(from, at, level) << (4 * level);
        }
        levels.put(in << 8 | out, packed);
        apply(in, out, packed);
    }

    void readLevels(int in, int out, MemorySegment to, long at) {
        to.asSlice(at, Smp.DATA_LENGTH).fill((byte) 0);
        Long packed = levels.get(in << 8 | out);
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            int lane = packed == null ? level % plane.lanes() : lane(packed, level);
            SmpBlocks.lane(to, at, level, lane);
        }
    }

    private static int lane(long packed, int level) {
        return (int) (packed >>> (4 * level)) & 0xF;
    }

    /// IBA 7.6.6: what is to leave in a lane that the link does not have is dropped.
    private void apply(int in, int out, long packed) {
        if (out == 0) {
            return;
        }
        int open = lanes(PortInfo.OPERATIONAL_VLS.readInt(ports.info(out), 0));
        long inForce = 0;
        for (int level = 0; level < SmpBlocks.SERVICE_LEVELS; level++) {
            int lane = lane(packed, level);
            inForce |= (long) (lane < open ? lane : DROPPED) << (4 * level);
        }
        plane.levels(node, in, out, inForce);
    }

    private static int lanes(int code) {
        return code > 4 ? LANES_MAX : 1 << (code - 1);
    }

    void writeArbitration(int port, int block, MemorySegment from, long at) {
        byte[] entries = new byte[Smp.DATA_LENGTH];
        MemorySegment.copy(from, at, MemorySegment.ofArray(entries), 0, entries.length);
        arbitration.put(block << 16 | port, entries);
        apply(port);
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

    private void apply(int port) {
        boolean isWritten =
                arbitration.containsKey(LOW << 16 | port)
                        || arbitration.containsKey(HIGH << 16 | port);
        if (port > 0 && isWritten) {
            int limit = PortInfo.VL_HIGH_LIMIT.readInt(ports.info(port), 0);
            plane.arbitration(node, port, turns(port, LOW), turns(port, HIGH), limit);
        }
    }

    private List<Plane.Turn> turns(int port, int block) {
        MemorySegment entries = MemorySegment.ofArray(new byte[Smp.DATA_LENGTH]);
        readArbitration(port, block, entries, 0);
        List<Plane.Turn> turns = new ArrayList<>();
        for (int i = 0; i < PortTable.ARBITRATION_ENTRIES; i++) {
            int lane = SmpBlocks.arbitrationLane(entries, 0, i);
            if (lane < LANES_MAX) {
                turns.add(new Plane.Turn(lane, SmpBlocks.arbitrationWeight(entries, 0, i)));
            }
        }
        return turns;
    }

    /// A port has other lanes, or another limit of its high table.
    void portChanged(int port) {
        levels.forEach(
                (place, packed) -> {
                    if ((place & 0xFF) == port) {
                        apply(place >> 8, port, packed);
                    }
                });
        apply(port);
    }
}
