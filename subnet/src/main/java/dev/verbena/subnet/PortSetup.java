package dev.verbena.subnet;

import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.PortInfo;
import java.lang.foreign.MemorySegment;

/// What each port is to be: the LIDs of node and manager, the MTU and lanes that both ends of a
/// link have, and its state. A Set carries all of PortInfo, so it is the attribute as it was read,
/// with changes.
final class PortSetup {
    static final int INITIALIZE = 2;
    static final int ARMED = 3;
    static final int ACTIVE = 4;

    /// IBA 4.1.1: the prefix of a subnet that was given no other.
    private static final long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;

    private final int subnetTimeout;
    private final long key;

    /// @param key the M_Key that nodes are to have
    PortSetup(int subnetTimeout, long key) {
        this.subnetTimeout = subnetTimeout;
        this.key = key;
    }

    /// Writes the PortInfo that sets a port up, up to ARMED.
    ///
    /// @return whether it differs from what the port has
    boolean setUp(SubnetGraph graph, int slot, MemorySegment to, long at) {
        int vertex = graph.owner(slot);
        unchanged(graph, slot, to, at);
        boolean differs = false;
        if (slot == graph.ownSlot(vertex)) {
            differs |= put(PortInfo.M_KEY, key, to, at);
            differs |= put(PortInfo.GID_PREFIX, DEFAULT_PREFIX, to, at);
            differs |= put(PortInfo.LID, graph.lid(vertex), to, at);
            differs |= put(PortInfo.MASTER_SM_LID, graph.lid(0), to, at);
            differs |= put(PortInfo.MASTER_SM_SL, 0, to, at);
            differs |= put(PortInfo.LMC, 0, to, at);
            differs |= put(PortInfo.SUBNET_TIMEOUT, subnetTimeout, to, at);
        }
        if (isLink(graph, slot)) {
            int peer = graph.peer(slot);
            differs |=
                    put(PortInfo.NEIGHBOR_MTU, least(graph, slot, peer, PortInfo.MTU_CAP), to, at);
            differs |=
                    put(
                            PortInfo.OPERATIONAL_VLS,
                            least(graph, slot, peer, PortInfo.VL_CAP),
                            to,
                            at);
            if (graph.state(slot) == INITIALIZE) {
                PortInfo.PORT_STATE.write(to, at, ARMED);
                differs = true;
            }
        }
        return differs;
    }

    /// Takes the subnet timeout for set: it only slows traps down, and ibsim keeps its own.
    void acceptTimeout(SubnetGraph graph, int slot) {
        PortInfo.SUBNET_TIMEOUT.write(graph.infos(), graph.infoAt(slot), subnetTimeout);
    }

    /// Writes the PortInfo that makes a port active.
    ///
    /// @return whether both ends of its link are ready for that, and it is not active
    boolean activate(SubnetGraph graph, int slot, MemorySegment to, long at) {
        unchanged(graph, slot, to, at);
        PortInfo.PORT_STATE.write(to, at, ACTIVE);
        return isLink(graph, slot)
                && graph.state(slot) == ARMED
                && graph.state(graph.peer(slot)) >= ARMED;
    }

    /// A link whose ends have both answered.
    private static boolean isLink(SubnetGraph graph, int slot) {
        int peer = graph.peer(slot);
        return peer != SubnetGraph.NONE
                && PortInfo.MTU_CAP.read(graph.infos(), graph.infoAt(slot)) != 0
                && PortInfo.MTU_CAP.read(graph.infos(), graph.infoAt(peer)) != 0;
    }

    /// IBA 14.2.5.6: of these fields 0 leaves the setting alone.
    private static void unchanged(SubnetGraph graph, int slot, MemorySegment to, long at) {
        MemorySegment.copy(graph.infos(), graph.infoAt(slot), to, at, PortInfo.LENGTH);
        PortInfo.PORT_STATE.write(to, at, 0);
        PortInfo.PORT_PHYSICAL_STATE.write(to, at, 0);
        PortInfo.LINK_DOWN_DEFAULT_STATE.write(to, at, 0);
        PortInfo.LINK_WIDTH_ENABLED.write(to, at, 0);
        PortInfo.LINK_SPEED_ENABLED.write(to, at, 0);
        PortInfo.CLIENT_REREGISTER.write(to, at, 0);
    }

    private static boolean put(MadField field, long value, MemorySegment to, long at) {
        boolean differs = field.read(to, at) != value;
        field.write(to, at, value);
        return differs;
    }

    private static int least(SubnetGraph graph, int slot, int peer, MadField field) {
        return Math.min(
                field.readInt(graph.infos(), graph.infoAt(slot)),
                field.readInt(graph.infos(), graph.infoAt(peer)));
    }
}
