package dev.verbena.subnet;

import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.PortInfo;
import java.lang.foreign.MemorySegment;
import java.util.function.IntUnaryOperator;

/// What each port is to be: the LIDs of node and manager, the MTU and lanes that both ends of a
/// link have, and its state. A Set carries all of PortInfo, so it is the attribute as it was read,
/// with changes.
final class PortSetup {
    static final int INITIALIZE = 2;
    static final int ARMED = 3;
    static final int ACTIVE = 4;

    private final ManagerSettings settings;
    private final NodeKeys keys;
    private final IntUnaryOperator levels;

    /// @param keys the M_Key that nodes are to have
    /// @param levels by vertex, the service level of its packets to the manager
    PortSetup(ManagerSettings settings, NodeKeys keys, IntUnaryOperator levels) {
        this.settings = settings;
        this.keys = keys;
        this.levels = levels;
    }

    /// Whether a node is to use another service level to the manager than it does.
    boolean isLevelOther(SubnetGraph graph, int vertex) {
        long at = graph.infoAt(graph.ownSlot(vertex));
        return PortInfo.MASTER_SM_SL.readInt(graph.infos(), at) != levels.applyAsInt(vertex);
    }

    /// Writes the PortInfo that gives a node the M_Key.
    void fence(SubnetGraph graph, int slot, MemorySegment to, long at) {
        unchanged(graph, slot, to, at);
        key(to, at);
    }

    private boolean key(MemorySegment to, long at) {
        boolean differs = put(PortInfo.M_KEY, keys.current(), to, at);
        if (keys.isFencing()) {
            // Not the level at which any program can read the key.
            differs |= put(PortInfo.M_KEY_PROTECT_BITS, NodeKeys.PROTECTION, to, at);
            differs |= put(PortInfo.M_KEY_LEASE_PERIOD, 0, to, at);
        }
        return differs;
    }

    /// Writes the PortInfo that sets a port up, up to ARMED.
    ///
    /// @return whether it differs from what the port has
    boolean setUp(SubnetGraph graph, int slot, MemorySegment to, long at) {
        int vertex = graph.owner(slot);
        unchanged(graph, slot, to, at);
        boolean differs = false;
        if (slot == graph.ownSlot(vertex)) {
            differs |= key(to, at);
            differs |= put(PortInfo.GID_PREFIX, settings.prefix(), to, at);
            differs |= put(PortInfo.LID, graph.lid(vertex), to, at);
            differs |= put(PortInfo.MASTER_SM_LID, graph.lid(0), to, at);
            differs |= put(PortInfo.MASTER_SM_SL, levels.applyAsInt(vertex), to, at);
            differs |= put(PortInfo.LMC, graph.lmc(vertex), to, at);
            differs |= put(PortInfo.SUBNET_TIMEOUT, settings.subnetTimeout(), to, at);
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
        PortInfo.SUBNET_TIMEOUT.write(graph.infos(), graph.infoAt(slot), settings.subnetTimeout());
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
