package dev.verbena.subnet;

import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// What nodes have answered: switches and host ports as vertices, links between their ports.
///
/// A port is a number, its slot, into arrays; so a subnet of 11,664 hosts and 1,620 switches of 36
/// ports takes 71,604 slots, and no object for each. A switch has a slot for each port from 0 on. A
/// host port is a vertex of its own with one slot, because hosts pass nothing on. Vertex 0 is the
/// manager's.
final class SubnetGraph {
    static final int NONE = -1;
    static final int DOWN = 1;

    private final int lmc;
    private int vertices;
    private int slots;
    private long[] nodeGuids = new long[64];
    private long[] guids = new long[64];
    private int[] ports = new int[64];
    private int[] firstSlot = new int[64];
    private int[] localPort = new int[64];
    private int[] lids = new int[64];
    private int[] homes = new int[64];
    private int[] parents = new int[64];
    private String[] descriptions = new String[64];
    private byte[][] switchInfos = new byte[64][];
    private byte[][] nodeInfos = new byte[64][];
    private final BitSet switches = new BitSet();
    private final BitSet present = new BitSet();
    private final Map<Long, Integer> byGuid = new HashMap<>();

    private int[] owners = new int[256];
    private int[] peers = new int[256];
    private byte[] infos = new byte[256 * PortInfo.LENGTH];
    private MemorySegment infoBytes = MemorySegment.ofArray(infos);

    /// @param lmc of host ports
    SubnetGraph(int lmc) {
        this.lmc = lmc;
    }

    int vertices() {
        return vertices;
    }

    int slots() {
        return slots;
    }

    /// The vertex of a port GUID (that of a switch is its node's), or [#NONE].
    int vertex(long guid) {
        return byGuid.getOrDefault(guid, NONE);
    }

    int addSwitch(long nodeGuid, int portCount) {
        int vertex = add(nodeGuid, nodeGuid, portCount, 0, portCount + 1);
        switches.set(vertex);
        return vertex;
    }

    int addHostPort(long nodeGuid, long portGuid, int port) {
        return add(nodeGuid, portGuid, 1, port, 1);
    }

    private int add(long nodeGuid, long guid, int portCount, int port, int slotCount) {
        room(slotCount);
        int vertex = vertices++;
        nodeGuids[vertex] = nodeGuid;
        guids[vertex] = guid;
        ports[vertex] = portCount;
        localPort[vertex] = port;
        firstSlot[vertex] = slots;
        homes[vertex] = NONE;
        parents[vertex] = NONE;
        descriptions[vertex] = "";
        nodeInfos[vertex] = new byte[NodeInfo.LENGTH];
        switchInfos[vertex] = new byte[slotCount > 1 ? SwitchInfo.LENGTH : 0];
        byGuid.put(guid, vertex);
        present.set(vertex);
        for (int i = 0; i < slotCount; i++) {
            owners[slots] = vertex;
            peers[slots] = NONE;
            slots++;
        }
        return vertex;
    }

    private void room(int slotCount) {
        if (vertices == guids.length) {
            int more = 2 * vertices;
            nodeGuids = Arrays.copyOf(nodeGuids, more);
            guids = Arrays.copyOf(guids, more);
            ports = Arrays.copyOf(ports, more);
            firstSlot = Arrays.copyOf(firstSlot, more);
            localPort = Arrays.copyOf(localPort, more);
            lids = Arrays.copyOf(lids, more);
            homes = Arrays.copyOf(homes, more);
            parents = Arrays.copyOf(parents, more);
            descriptions = Arrays.copyOf(descriptions, more);
            switchInfos = Arrays.copyOf(switchInfos, more);
            nodeInfos = Arrays.copyOf(nodeInfos, more);
        }
        if (slots + slotCount > owners.length) {
            int more = Math.max(slots + slotCount, owners.length + owners.length / 2);
            owners = Arrays.copyOf(owners, more);
            peers = Arrays.copyOf(peers, more);
            infos = Arrays.copyOf(infos, more * PortInfo.LENGTH);
            infoBytes = MemorySegment.ofArray(infos);
        }
    }

    boolean isSwitch(int vertex) {
        return switches.get(vertex);
    }

    /// Whether datagrams of the manager go on from it.
    boolean forwards(int vertex) {
        return vertex == 0 || isSwitch(vertex);
    }

    /// Whether datagrams of the manager reach it, by what is known of links.
    boolean isPresent(int vertex) {
        return present.get(vertex);
    }

    long nodeGuid(int vertex) {
        return nodeGuids[vertex];
    }

    long guid(int vertex) {
        return guids[vertex];
    }

    /// Physical ports of a switch; 1 of a host port.
    int ports(int vertex) {
        return ports[vertex];
    }

    int lid(int vertex) {
        return lids[vertex];
    }

    /// Low bits of a LID that do not matter to a node: it has a LID for each of their values. A
    /// switch has one.
    int lmc(int vertex) {
        return isSwitch(vertex) ? 0 : lmc;
    }

    /// Of host ports.
    int lmc() {
        return lmc;
    }

    void lid(int vertex, int lid) {
        lids[vertex] = lid;
    }

    String description(int vertex) {
        return descriptions[vertex];
    }

    void description(int vertex, String text) {
        descriptions[vertex] = text;
    }

    /// The attribute SwitchInfo as it was read last; zeros before.
    byte[] switchInfo(int vertex) {
        return switchInfos[vertex];
    }

    /// The attribute NodeInfo as it was read first.
    byte[] nodeInfo(int vertex) {
        return nodeInfos[vertex];
    }

    /// Entries of the partition table.
    int partitionCap(int vertex) {
        return NodeInfo.PARTITION_CAP.readInt(MemorySegment.ofArray(nodeInfos[vertex]), 0);
    }

    int slot(int vertex, int port) {
        return isSwitch(vertex) ? firstSlot[vertex] + port : firstSlot[vertex];
    }

    int endSlot(int vertex) {
        return firstSlot[vertex] + (isSwitch(vertex) ? ports[vertex] + 1 : 1);
    }

    /// The slot with the settings of the node: port 0 of a switch, the port of a host.
    int ownSlot(int vertex) {
        return firstSlot[vertex];
    }

    int owner(int slot) {
        return owners[slot];
    }

    /// The number of a port, as its node counts.
    int port(int slot) {
        int vertex = owners[slot];
        return isSwitch(vertex) ? slot - firstSlot[vertex] : localPort[vertex];
    }

    /// The slot at the other end of the link, or [#NONE].
    int peer(int slot) {
        return peers[slot];
    }

    /// The vertex at the other end, or [#NONE].
    int neighbour(int slot) {
        return peers[slot] == NONE ? NONE : owners[peers[slot]];
    }

    /// The port of a switch that a host is at, or was at last, as a slot; or [#NONE].
    int home(int vertex) {
        return homes[vertex];
    }

    void connect(int slot, int other) {
        assert slot != other && peers[slot] == NONE && peers[other] == NONE : "two free ports";
        peers[slot] = other;
        peers[other] = slot;
        settle(owners[slot], other);
        settle(owners[other], slot);
    }

    private void settle(int vertex, int at) {
        if (!isSwitch(vertex) && isSwitch(owners[at])) {
            homes[vertex] = at;
        }
    }

    void disconnect(int slot) {
        int other = peers[slot];
        peers[slot] = NONE;
        peers[other] = NONE;
    }

    /// The state of a port as it was read last.
    int state(int slot) {
        return PortInfo.PORT_STATE.readInt(infoBytes, infoAt(slot));
    }

    void state(int slot, int state) {
        PortInfo.PORT_STATE.write(infoBytes, infoAt(slot), state);
    }

    /// The attributes PortInfo of all ports; [#infoAt] says where that of one begins.
    MemorySegment infos() {
        return infoBytes;
    }

    long infoAt(int slot) {
        return (long) slot * PortInfo.LENGTH;
    }

    void info(int slot, MemorySegment from, long at) {
        MemorySegment.copy(from, at, infoBytes, infoAt(slot), PortInfo.LENGTH);
    }

    void parent(int vertex, int slot) {
        parents[vertex] = slot;
    }

    /// The ports by which a directed route goes to a vertex, from the manager on.
    ///
    /// @return how many there are, or [#NONE] if there are more than `into` has room for
    int path(int vertex, byte[] into) {
        int hops = 0;
        for (int at = vertex; parents[at] != NONE; at = owners[parents[at]]) {
            if (hops == into.length) {
                return NONE;
            }
            into[hops++] = (byte) port(parents[at]);
        }
        for (int i = 0; i < hops / 2; i++) {
            byte swapped = into[i];
            into[i] = into[hops - 1 - i];
            into[hops - 1 - i] = swapped;
        }
        return hops;
    }

    /// Whether all links of the route to a vertex are still there.
    boolean isPathWhole(int vertex) {
        int at = vertex;
        while (parents[at] != NONE) {
            if (neighbour(parents[at]) != at) {
                return false;
            }
            at = owners[parents[at]];
        }
        return true;
    }

    /// Finds the shortest directed routes, and with them which vertices are present.
    void walk() {
        present.clear();
        if (vertices == 0) {
            return;
        }
        int[] queue = new int[vertices];
        int size = 1;
        present.set(0);
        parents[0] = NONE;
        for (int i = 0; i < size; i++) {
            int at = queue[i];
            for (int slot = firstSlot[at]; forwards(at) && slot < endSlot(at); slot++) {
                int next = neighbour(slot);
                if (next != NONE && !present.get(next)) {
                    present.set(next);
                    parents[next] = slot;
                    queue[size++] = next;
                }
            }
        }
    }
}
