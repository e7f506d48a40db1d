package dev.verbena.subnet;

import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/// Turns answers into the graph of the subnet, and into further questions.
///
/// ```text
///   NodeInfo ─ a new switch ─▶ SwitchInfo ─▶ PortInfo of each port ─ a link ─▶ NodeInfo behind it
///            └ a new host port ─▶ PortInfo
/// ```
///
/// A switch whose ports have changed is looked at again in the same way, from SwitchInfo on: a port
/// that is down ends its link, a port that came up is looked behind. So a change costs what it
/// touches.
final class Discovery {
    /// In the place of a block: the port is asked about though its other end is known.
    static final int VERIFY = 1;

    private static final int PORTS_MAX = 254;

    /// Ports that are remembered for each node that is, at most.
    private static final int SLOTS_PER_NODE = 32;

    private final SubnetGraph graph;
    private final ForwardingTables tables;
    private final GroupTables groups;
    private final KeyTables keys;
    private final NodeKeys nodeKeys;
    private final LevelTables levels;
    private final LongQueue tasks;
    private final int nodesMax;

    /// Ports whose settings are to be looked at.
    private final BitSet unsettled = new BitSet();

    /// Switches whose ports are read, whether they report a change or not.
    private final BitSet scanned = new BitSet();

    /// Ports that were asked about, since [#begin].
    private final BitSet asked = new BitSet();

    /// Ports that two others lead to.
    private final BitSet contested = new BitSet();

    private boolean isWalkDue;

    Discovery(
            SubnetGraph graph,
            ForwardingTables tables,
            GroupTables groups,
            KeyTables keys,
            NodeKeys nodeKeys,
            LevelTables levels,
            LongQueue tasks,
            int nodesMax) {
        this.graph = graph;
        this.tables = tables;
        this.groups = groups;
        this.keys = keys;
        this.nodeKeys = nodeKeys;
        this.levels = levels;
        this.tasks = tasks;
        this.nodesMax = nodesMax;
    }

    /// A new look, at all of the subnet or at a part of it.
    void begin() {
        scanned.clear();
        asked.clear();
        contested.clear();
        nodeKeys.begin();
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (graph.isPresent(vertex) && !nodeKeys.mayWrite(vertex)) {
                ask(graph.ownSlot(vertex));
            }
        }
    }

    BitSet unsettled() {
        return unsettled;
    }

    void look() {
        tasks.add(SmpKind.NODE_INFO.at(SubnetGraph.NONE));
    }

    /// Looks at all ports of a switch, once since [#begin].
    void scan(int vertex) {
        if (!scanned.get(vertex)) {
            scanned.set(vertex);
            tasks.add(SmpKind.SWITCH_INFO.at(vertex));
        }
    }

    boolean isScanned(int vertex) {
        return scanned.get(vertex);
    }

    void ask(int slot) {
        if (!asked.get(slot)) {
            asked.set(slot);
            tasks.add(SmpKind.PORT_INFO.at(slot));
        }
    }

    /// Whether links were lost or found since the last [#walk].
    boolean isWalkDue() {
        return isWalkDue;
    }

    /// Brings directed routes in line with links that were lost or found.
    void walk() {
        isWalkDue = false;
        graph.walk();
    }

    /// What is behind a port.
    ///
    /// @param from the port, or [SubnetGraph#NONE] for the manager's own node
    SmVerdict nodeInfo(int from, MemorySegment mad) {
        int type = NodeInfo.NODE_TYPE.readInt(mad, Smp.DATA);
        int ports = NodeInfo.NUM_PORTS.readInt(mad, Smp.DATA);
        int local = NodeInfo.LOCAL_PORT_NUM.readInt(mad, Smp.DATA);
        long nodeGuid = NodeInfo.NODE_GUID.read(mad, Smp.DATA);
        boolean isSwitch = type == NodeInfo.SWITCH;
        long guid = isSwitch ? nodeGuid : NodeInfo.PORT_GUID.read(mad, Smp.DATA);
        int least = isSwitch && from == SubnetGraph.NONE ? 0 : 1;
        boolean isValid =
                type >= NodeInfo.CHANNEL_ADAPTER
                        && type <= NodeInfo.ROUTER
                        && ports >= 1
                        && ports <= PORTS_MAX
                        && local >= least
                        && local <= ports
                        && guid != 0;
        if (!isValid) {
            return SmVerdict.NODE_INVALID;
        }
        int vertex = graph.vertex(guid);
        if (vertex == SubnetGraph.NONE) {
            int slots = graph.slots() + (isSwitch ? ports + 1 : 1);
            if (graph.vertices() >= nodesMax || slots > SLOTS_PER_NODE * nodesMax + PORTS_MAX) {
                return SmVerdict.LIMIT;
            }
            vertex =
                    isSwitch
                            ? graph.addSwitch(nodeGuid, ports)
                            : graph.addHostPort(nodeGuid, guid, local);
            graph.parent(vertex, from);
            byte[] info = graph.nodeInfo(vertex);
            MemorySegment.copy(mad, Smp.DATA, MemorySegment.ofArray(info), 0, info.length);
            found(vertex);
        } else if (graph.isSwitch(vertex) != isSwitch
                || graph.nodeGuid(vertex) != nodeGuid
                || (isSwitch && graph.ports(vertex) != ports)
                || (!isSwitch && graph.port(graph.ownSlot(vertex)) != local)) {
            return SmVerdict.GUID_CONFLICT;
        }
        return from == SubnetGraph.NONE ? SmVerdict.OK : link(from, graph.slot(vertex, local));
    }

    private void found(int vertex) {
        tasks.add(SmpKind.DESCRIPTION.at(vertex));
        if (graph.isSwitch(vertex) && !nodeKeys.isFencing()) {
            scan(vertex);
        } else {
            ask(graph.ownSlot(vertex));
        }
    }

    /// Follows from the key that a node shows: it is given that of this term before it is read, so
    /// that no earlier manager changes it afterwards.
    private SmVerdict fence(int slot, MemorySegment mad) {
        int vertex = graph.owner(slot);
        long shown = PortInfo.M_KEY.read(mad, Smp.DATA);
        int protection = PortInfo.M_KEY_PROTECT_BITS.readInt(mad, Smp.DATA);
        switch (nodeKeys.seen(vertex, shown, protection)) {
            case HELD -> {
                if (nodeKeys.hold(vertex)) {
                    held(vertex);
                }
            }
            case OPEN -> tasks.add(SmpKind.FENCE.at(slot));
            case HIDDEN -> tasks.add(SmpKind.PORT_INFO.at(slot));
            case FOREIGN -> {
                return SmVerdict.LOCKED;
            }
        }
        return SmVerdict.OK;
    }

    /// A node has answered that it took the key; its own PortInfo shows whether it did.
    SmVerdict fenced(int slot) {
        nodeKeys.taken(graph.owner(slot));
        tasks.add(SmpKind.PORT_INFO.at(slot));
        return SmVerdict.OK;
    }

    private void held(int vertex) {
        forget(vertex);
        if (graph.isSwitch(vertex)) {
            asked.clear(graph.ownSlot(vertex) + 1, graph.endSlot(vertex));
            scanned.clear(vertex);
            scan(vertex);
        }
    }

    private SmVerdict link(int from, int far) {
        if (from == far) {
            return SmVerdict.OK;
        }
        int vertex = graph.owner(far);
        if (graph.peer(from) != far) {
            if (graph.peer(far) != SubnetGraph.NONE && contested.get(far)) {
                return SmVerdict.GUID_CONFLICT;
            }
            boolean wasPresent = graph.isPresent(vertex);
            lose(from);
            contest(far);
            graph.connect(from, far);
            unsettled.set(from);
            unsettled.set(far);
            if (!wasPresent) {
                isWalkDue = true;
                returned(vertex);
            }
        }
        ask(far);
        // A switch that was reset meanwhile has lost its LID, and its tables.
        ask(graph.ownSlot(vertex));
        return SmVerdict.OK;
    }

    /// A port that has a link is found behind another one: a cable was moved, or two nodes have the
    /// same GUID. The newer answer counts, and the other port is looked at again, once.
    private void contest(int far) {
        int other = graph.peer(far);
        if (other != SubnetGraph.NONE) {
            contested.set(far);
            lose(far);
            tasks.add(SmpKind.PORT_INFO.at(other));
        }
    }

    private void returned(int vertex) {
        if (graph.isSwitch(vertex)) {
            forget(vertex);
            scan(vertex);
        }
    }

    /// What a node has in its tables is not known any more.
    private void forget(int vertex) {
        tables.forget(vertex);
        groups.forget(vertex);
        keys.forget(vertex);
    }

    SmVerdict switchInfo(int vertex, MemorySegment mad) {
        keep(vertex, mad);
        boolean hasChanged = SwitchInfo.PORT_STATE_CHANGE.read(mad, Smp.DATA) == 1;
        if (hasChanged) {
            // First forgotten, then read: a change after that is reported again.
            scanned.set(vertex);
            tasks.add(SmpKind.SET_SWITCH.at(vertex, 1));
        } else if (scanned.get(vertex)) {
            askAll(vertex);
        }
        return SmVerdict.OK;
    }

    void keep(int vertex, MemorySegment mad) {
        byte[] info = graph.switchInfo(vertex);
        MemorySegment.copy(mad, Smp.DATA, MemorySegment.ofArray(info), 0, info.length);
    }

    void askAll(int vertex) {
        for (int slot = graph.ownSlot(vertex); slot < graph.endSlot(vertex); slot++) {
            ask(slot);
        }
    }

    SmVerdict description(int vertex, MemorySegment mad) {
        byte[] text = new byte[Smp.DATA_LENGTH];
        MemorySegment.copy(mad, Smp.DATA, MemorySegment.ofArray(text), 0, text.length);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        graph.description(vertex, new String(text, 0, length, StandardCharsets.UTF_8));
        return SmVerdict.OK;
    }

    SmVerdict portInfo(int slot, MemorySegment mad) {
        int before = graph.state(slot);
        int state = PortInfo.PORT_STATE.readInt(mad, Smp.DATA);
        if (state < SubnetGraph.DOWN || state > PortSetup.ACTIVE) {
            return SmVerdict.PORT_INVALID;
        }
        graph.info(slot, mad, Smp.DATA);
        unsettled.set(slot);
        int vertex = graph.owner(slot);
        if (state == PortSetup.INITIALIZE) {
            levels.forget(slot);
        }
        if (slot == graph.ownSlot(vertex) && state == PortSetup.INITIALIZE) {
            // A host that was reset has lost its partition table.
            keys.forget(vertex);
        }
        if (graph.isSwitch(vertex) && slot == graph.ownSlot(vertex)) {
            int lid = PortInfo.LID.readInt(mad, Smp.DATA);
            if (graph.lid(vertex) != 0 && lid != graph.lid(vertex)) {
                returned(vertex);
            }
        } else if (graph.forwards(vertex)) {
            followed(slot, before, state);
        }
        return slot == graph.ownSlot(vertex) ? fence(slot, mad) : SmVerdict.OK;
    }

    private void followed(int slot, int before, int state) {
        if (state == SubnetGraph.DOWN) {
            lose(slot);
        } else if (graph.peer(slot) == SubnetGraph.NONE) {
            tasks.add(SmpKind.NODE_INFO.at(slot));
        } else if (state == PortSetup.INITIALIZE && before > state) {
            // The link went down and came up meanwhile, perhaps to another node.
            tasks.add(SmpKind.NODE_INFO.at(slot, VERIFY));
        }
    }

    /// The link of a port is gone.
    private void lose(int slot) {
        int other = graph.peer(slot);
        if (other != SubnetGraph.NONE) {
            graph.disconnect(slot);
            graph.state(other, SubnetGraph.DOWN);
            isWalkDue = true;
        }
    }

    /// No answer came from behind a port.
    void silentPort(int slot) {
        if (slot != SubnetGraph.NONE) {
            lose(slot);
        }
    }

    /// A node does not answer. Its neighbours know whether their links to it are up, and their own
    /// reports may have been lost with the link.
    void silent(int vertex) {
        scanned.set(vertex);
        for (int slot = graph.ownSlot(vertex); slot < graph.endSlot(vertex); slot++) {
            int neighbour = graph.neighbour(slot);
            if (neighbour != SubnetGraph.NONE && graph.isSwitch(neighbour)) {
                scan(neighbour);
            }
        }
    }
}
