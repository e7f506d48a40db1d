package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// 802.1Q tag: the priority that PFC acts on, and the virtual LAN.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0-1 | 15-13, 12, 11-0 | priority, drop eligible, VLAN id |
/// | 2-3 | | EtherType of what follows, read as part of [Ethernet] |
public record Vlan(int priority, boolean dropEligible, int id) {
    public static final int LENGTH = 4;

    private static final int DROP_ELIGIBLE = 0x1000;

    public Vlan {
        WireException.requireBits("vlan priority", priority, 3);
        WireException.requireBits("vlan id", id, 12);
    }

    public static int priority(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at) >> 13;
    }

    public static boolean dropEligible(MemorySegment segment, long at) {
        return (BigEndian.u16(segment, at) & DROP_ELIGIBLE) != 0;
    }

    public static int id(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at) & 0xFFF;
    }

    public static Vlan parse(MemorySegment segment, long at) {
        return new Vlan(priority(segment, at), dropEligible(segment, at), id(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put16(segment, at, (priority << 13) | (dropEligible ? DROP_ELIGIBLE : 0) | id);
    }
}
