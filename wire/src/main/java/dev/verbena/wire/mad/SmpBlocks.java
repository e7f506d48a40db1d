package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;

/// Tables that are read and written a block at a time (IBA 14.2.5): each block is one attribute of
/// 64 bytes, whose number is in the attribute modifier. `at` is the attribute's first byte.
public final class SmpBlocks {
    public static final int GUID_INFO = 0x14;
    public static final int PKEY_TABLE = 0x16;
    public static final int SL_TO_VL = 0x17;
    public static final int VL_ARBITRATION = 0x18;
    public static final int LINEAR_FORWARDING = 0x19;
    public static final int MULTICAST_FORWARDING = 0x1B;
    public static final int NODE_DESCRIPTION = 0x10;

    public static final int GUIDS = 8;
    public static final int PKEYS = 32;
    public static final int SERVICE_LEVELS = 16;
    public static final int ARBITRATION_ENTRIES = 32;
    public static final int LIDS = 64;
    public static final int GROUPS = 32;

    /// Ports of one mask of a multicast table.
    public static final int MASK_PORTS = 16;

    /// Length of a table of service levels, which is less than a block.
    public static final int SL_TO_VL_LENGTH = 8;

    private SmpBlocks() {}

    public static long guid(MemorySegment segment, long at, int index) {
        return BigEndian.i64(segment, at + 8L * index);
    }

    public static void guid(MemorySegment segment, long at, int index, long guid) {
        BigEndian.put64(segment, at + 8L * index, guid);
    }

    public static int pkey(MemorySegment segment, long at, int index) {
        return BigEndian.u16(segment, at + 2L * index);
    }

    public static void pkey(MemorySegment segment, long at, int index, int pkey) {
        BigEndian.put16(segment, at + 2L * index, pkey);
    }

    /// The virtual lane of a service level.
    public static int lane(MemorySegment segment, long at, int level) {
        return BigEndian.u8(segment, at + level / 2) >> shift(level) & 0xF;
    }

    public static void lane(MemorySegment segment, long at, int level, int lane) {
        int other = BigEndian.u8(segment, at + level / 2) & (0xF0 >> shift(level));
        BigEndian.put8(segment, at + level / 2, other | (lane & 0xF) << shift(level));
    }

    private static int shift(int level) {
        return level % 2 == 0 ? 4 : 0;
    }

    /// The lane of an entry of an arbitration table.
    public static int arbitrationLane(MemorySegment segment, long at, int index) {
        return BigEndian.u8(segment, at + 2L * index) & 0xF;
    }

    /// The weight of an entry, in units of 64 bytes; 0: the entry is passed over.
    public static int arbitrationWeight(MemorySegment segment, long at, int index) {
        return BigEndian.u8(segment, at + 2L * index + 1);
    }

    public static void arbitration(
            MemorySegment segment, long at, int index, int lane, int weight) {
        BigEndian.put8(segment, at + 2L * index, lane & 0xF);
        BigEndian.put8(segment, at + 2L * index + 1, weight);
    }

    /// The port of a LID in a block of a linear forwarding table; 255: none.
    public static int port(MemorySegment segment, long at, int index) {
        return BigEndian.u8(segment, at + index);
    }

    public static void port(MemorySegment segment, long at, int index, int port) {
        BigEndian.put8(segment, at + index, port);
    }

    /// The ports of a group in a block of a multicast table, 16 of them.
    public static int ports(MemorySegment segment, long at, int index) {
        return BigEndian.u16(segment, at + 2L * index);
    }

    public static void ports(MemorySegment segment, long at, int index, int mask) {
        BigEndian.put16(segment, at + 2L * index, mask);
    }
}
