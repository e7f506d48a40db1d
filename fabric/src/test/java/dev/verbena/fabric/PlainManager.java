package dev.verbena.fabric;

import dev.verbena.fabric.manage.Delivery;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The plainest subnet manager that brings a fabric up, by datagrams alone: shortest ways, the port
/// with the lowest number first.
final class PlainManager {
    static final int LID_ROUTED = ManagementClass.SUBNET_LID_ROUTED;
    static final int DIRECTED = ManagementClass.SUBNET_DIRECTED_ROUTE;

    /// A node, as it was found.
    static final class Found {
        final long guid;
        final boolean isSwitch;
        final int ports;
        final int[] path;
        final @Nullable Found[] peers;
        final int[] peerPorts;
        int lid;

        Found(long guid, boolean isSwitch, int ports, int... path) {
            this.guid = guid;
            this.isSwitch = isSwitch;
            this.ports = ports;
            this.path = path;
            peers = new Found[ports + 1];
            peerPorts = new int[ports + 1];
        }
    }

    final ManagementPort port;
    final Map<Long, Found> nodes = new HashMap<>();
    final List<MemorySegment> came = new ArrayList<>();
    final List<Delivery> dropped = new ArrayList<>();
    long key;
    private long transactions = 1000;

    PlainManager(ManagementPort port) {
        this.port = port;
        port.receiver(
                (_, mad) -> {
                    MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
                    copy.copyFrom(mad);
                    came.add(copy);
                    return true;
                });
    }

    /// Sends a request by named ports and returns the answer, or nothing when there is none.
    @Nullable MemorySegment ask(int method, int attribute, int modifier, byte[] data, int... path) {
        MemorySegment mad = request(DIRECTED, method, attribute, modifier, data);
        Smp.route(mad, 0, path);
        return send(MadEnvelope.DIRECTED, mad);
    }

    /// The same by LID.
    @Nullable MemorySegment askLid(int lid, int method, int attribute, int modifier, byte... data) {
        MemorySegment mad = request(LID_ROUTED, method, attribute, modifier, data);
        return send(new MadEnvelope(lid, 0, 0, 0), mad);
    }

    MemorySegment request(int group, int method, int attribute, int modifier, byte... data) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        Mad header = new Mad(group, 1, method, 0, 0, ++transactions, attribute, modifier);
        Smp.request(mad, 0, header, key);
        MemorySegment.copy(MemorySegment.ofArray(data), 0, mad, Smp.DATA, data.length);
        return mad;
    }

    @Nullable MemorySegment send(MadEnvelope envelope, MemorySegment mad) {
        long transaction = Mad.transactionId(mad, 0);
        Delivery outcome = port.send(envelope, mad);
        if (!outcome.isOk()) {
            dropped.add(outcome);
        }
        MemorySegment last = came.isEmpty() ? null : came.getLast();
        boolean isIt = last != null && Mad.transactionId(last, 0) == transaction;
        return isIt ? came.removeLast() : null;
    }

    MemorySegment get(int attribute, int modifier, int... path) {
        return Objects.requireNonNull(
                ask(MadMethod.GET, attribute, modifier, new byte[0], path), "an answer");
    }

    int set(int attribute, int modifier, byte[] data, int... path) {
        MemorySegment answer = ask(MadMethod.SET, attribute, modifier, data, path);
        return Mad.status(Objects.requireNonNull(answer, "an answer"), 0) & 0x7FFF;
    }

    static byte[] data(MemorySegment mad) {
        return mad.asSlice(Smp.DATA, Smp.DATA_LENGTH)
                .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    /// Finds all nodes, the nearest first.
    void discover() {
        ArrayDeque<Found> open = new ArrayDeque<>();
        open.add(look());
        while (!open.isEmpty()) {
            Found at = open.removeFirst();
            int first = 1;
            int last = at.isSwitch || at.path.length == 0 ? at.ports : 0;
            for (int number = first; number <= last; number++) {
                MemorySegment info = get(PortInfo.ATTRIBUTE_ID, number, at.path);
                if (PortInfo.PORT_STATE.readInt(info, Smp.DATA) == 1) {
                    continue;
                }
                int[] path = Arrays.copyOf(at.path, at.path.length + 1);
                path[at.path.length] = number;
                int known = nodes.size();
                Found other = look(path);
                at.peers[number] = other;
                int back = farPort(path);
                at.peerPorts[number] = back;
                other.peers[back] = at;
                other.peerPorts[back] = number;
                if (nodes.size() > known) {
                    open.add(other);
                }
            }
        }
    }

    private int farPort(int... path) {
        return NodeInfo.LOCAL_PORT_NUM.readInt(get(NodeInfo.ATTRIBUTE_ID, 0, path), Smp.DATA);
    }

    private Found look(int... path) {
        MemorySegment info = get(NodeInfo.ATTRIBUTE_ID, 0, path);
        long guid = NodeInfo.NODE_GUID.read(info, Smp.DATA);
        boolean isSwitch = NodeInfo.NODE_TYPE.readInt(info, Smp.DATA) == NodeInfo.SWITCH;
        int ports = NodeInfo.NUM_PORTS.readInt(info, Smp.DATA);
        return nodes.computeIfAbsent(guid, _ -> new Found(guid, isSwitch, ports, path));
    }

    List<Found> sorted() {
        return nodes.values().stream()
                .sorted((a, b) -> Long.compareUnsigned(a.guid, b.guid))
                .toList();
    }

    Found byGuid(long guid) {
        return Objects.requireNonNull(nodes.get(guid), "a node");
    }

    /// Discovers, numbers, routes and opens.
    void bringUp() {
        nodes.clear();
        discover();
        int next = 1;
        for (Found node : sorted()) {
            node.lid = next++;
        }
        int own = byGuid(guid()).lid;
        for (Found node : sorted()) {
            settings(node, own);
        }
        route();
        open(3);
        open(4);
    }

    private long guid() {
        return NodeInfo.NODE_GUID.read(get(NodeInfo.ATTRIBUTE_ID, 0), Smp.DATA);
    }

    private void settings(Found node, int manager) {
        int number = node.isSwitch ? 0 : 1;
        byte[] info = data(get(PortInfo.ATTRIBUTE_ID, number, node.path));
        MemorySegment bytes = MemorySegment.ofArray(info);
        PortInfo.LID.write(bytes, 0, node.lid);
        PortInfo.MASTER_SM_LID.write(bytes, 0, manager);
        PortInfo.SUBNET_TIMEOUT.write(bytes, 0, 10);
        PortInfo.PORT_STATE.write(bytes, 0, 0);
        PortInfo.PORT_PHYSICAL_STATE.write(bytes, 0, 0);
        require(set(PortInfo.ATTRIBUTE_ID, number, info, node.path));
    }

    private static void require(int status) {
        if (status != 0) {
            throw new AssertionError("status 0x%x".formatted(status));
        }
    }

    /// Writes the tables of all switches.
    void route() {
        for (Found at : sorted()) {
            if (!at.isSwitch) {
                continue;
            }
            byte[] table = new byte[1024];
            Arrays.fill(table, (byte) 255);
            int top = 0;
            for (Found to : sorted()) {
                table[to.lid] = (byte) next(at, to);
                top = Math.max(top, to.lid);
            }
            byte[] info = data(get(SwitchInfo.ATTRIBUTE_ID, 0, at.path));
            SwitchInfo.LINEAR_FDB_TOP.write(MemorySegment.ofArray(info), 0, top);
            SwitchInfo.PORT_STATE_CHANGE.write(MemorySegment.ofArray(info), 0, 1);
            require(set(SwitchInfo.ATTRIBUTE_ID, 0, info, at.path));
            for (int block = 0; block <= top / SmpBlocks.LIDS; block++) {
                int from = block * SmpBlocks.LIDS;
                byte[] part = Arrays.copyOfRange(table, from, from + SmpBlocks.LIDS);
                require(set(SmpBlocks.LINEAR_FORWARDING, block, part, at.path));
            }
        }
    }

    /// The first port of a shortest way; 0 at the node itself.
    private static int next(Found at, Found to) {
        Map<Found, Integer> distance = new HashMap<>(Map.of(to, 0));
        ArrayDeque<Found> open = new ArrayDeque<>(List.of(to));
        while (!open.isEmpty()) {
            Found node = open.removeFirst();
            for (Found peer : node.peers) {
                if (peer != null && !distance.containsKey(peer)) {
                    distance.put(peer, distance.getOrDefault(node, 0) + 1);
                    if (peer.isSwitch) {
                        open.add(peer);
                    }
                }
            }
        }
        int port = 0;
        for (int i = at.ports; i > 0 && at != to; i--) {
            Found peer = at.peers[i];
            boolean isNearer =
                    peer != null
                            && (peer.isSwitch || peer == to)
                            && distance.getOrDefault(peer, 99) < distance.getOrDefault(at, 99);
            port = isNearer ? i : port;
        }
        return at == to ? 0 : port == 0 ? 255 : port;
    }

    /// Sets the state of all ports that have a link.
    void open(int state) {
        for (Found node : sorted()) {
            for (int number = 1; number <= node.ports; number++) {
                if (node.peers[number] != null) {
                    require(state(node, number, state));
                }
            }
        }
    }

    int state(Found node, int number, int state) {
        byte[] info = data(get(PortInfo.ATTRIBUTE_ID, number, node.path));
        MemorySegment bytes = MemorySegment.ofArray(info);
        PortInfo.PORT_STATE.write(bytes, 0, state);
        PortInfo.PORT_PHYSICAL_STATE.write(bytes, 0, 0);
        return set(PortInfo.ATTRIBUTE_ID, number, info, node.path);
    }
}
