package dev.verbena.subnet;

import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;

/// The requests of a subnet manager.
enum SmpKind {
    /// What is at the other end of a port, or the manager's own node.
    NODE_INFO(MadMethod.GET, NodeInfo.ATTRIBUTE_ID),
    DESCRIPTION(MadMethod.GET, SmpBlocks.NODE_DESCRIPTION),
    SWITCH_INFO(MadMethod.GET, SwitchInfo.ATTRIBUTE_ID),
    PORT_INFO(MadMethod.GET, PortInfo.ATTRIBUTE_ID),
    /// LID, MTU and lanes, and from INITIALIZE to ARMED.
    SET_PORT(MadMethod.SET, PortInfo.ATTRIBUTE_ID),
    /// From ARMED to ACTIVE.
    ACTIVATE(MadMethod.SET, PortInfo.ATTRIBUTE_ID),
    /// Forgets that ports have changed: before they are read, so that a later change is seen.
    SET_SWITCH(MadMethod.SET, SwitchInfo.ATTRIBUTE_ID),
    SET_BLOCK(MadMethod.SET, SmpBlocks.LINEAR_FORWARDING),
    /// A block of a multicast table.
    SET_GROUPS(MadMethod.SET, SmpBlocks.MULTICAST_FORWARDING),
    /// A block of a partition table, of a host port or of port 0 of a switch.
    KEYS(MadMethod.GET, SmpBlocks.PKEY_TABLE),
    SET_KEYS(MadMethod.SET, SmpBlocks.PKEY_TABLE),
    /// The M_Key of this manager's term, and nothing else.
    FENCE(MadMethod.SET, PortInfo.ATTRIBUTE_ID),
    READ_BLOCK(MadMethod.GET, SmpBlocks.LINEAR_FORWARDING),
    READ_GROUPS(MadMethod.GET, SmpBlocks.MULTICAST_FORWARDING),
    /// The lanes of service levels, of packets that come by one port and leave by another.
    SET_LEVELS(MadMethod.SET, SmpBlocks.SL_TO_VL),
    /// One of the two tables of a port's arbiter.
    SET_WEIGHTS(MadMethod.SET, SmpBlocks.VL_ARBITRATION),
    /// What another subnet manager is.
    SM_INFO(MadMethod.GET, SmInfo.ATTRIBUTE_ID),
    /// Word to another subnet manager, which its modifier says.
    SET_SM_INFO(MadMethod.SET, SmInfo.ATTRIBUTE_ID);

    private static final SmpKind[] ALL = values();
    private static final int PLACE = 32;

    /// Six bits for kinds. Places have 26: [Discovery] remembers at most 32 ports for each of 2^20
    /// nodes, and a few more.
    private static final int KIND = 58;

    private static final int PLACE_MASK = (1 << (KIND - PLACE)) - 1;

    private final int method;
    private final int attributeId;

    SmpKind(int method, int attributeId) {
        this.method = method;
        this.attributeId = attributeId;
    }

    int method() {
        return method;
    }

    int attributeId() {
        return attributeId;
    }

    /// Whether its modifier is the number of a port.
    boolean isOfPort() {
        return this == PORT_INFO || this == SET_PORT || this == ACTIVATE || this == FENCE;
    }

    /// Whether its place is that of a port.
    boolean isAtPort() {
        return isOfPort() || this == NODE_INFO || this == SET_LEVELS || this == SET_WEIGHTS;
    }

    /// A request as one number.
    ///
    /// @param place a slot for those at ports, else a vertex
    /// @param block of a table
    @SuppressWarnings("EnumOrdinal") // The number lives no longer than the program.
    long at(int place, int block) {
        return (long) ordinal() << KIND | (long) (place + 1) << PLACE | block;
    }

    long at(int place) {
        return at(place, 0);
    }

    static SmpKind of(long task) {
        return ALL[(int) (task >>> KIND)];
    }

    static int place(long task) {
        return (int) (task >>> PLACE & PLACE_MASK) - 1;
    }

    static int block(long task) {
        return (int) task;
    }
}
