package dev.verbena.subnet;

import dev.verbena.subnet.admin.SubnetView;
import dev.verbena.subnet.state.Partition;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What subnet administration sees of a sweep: its graph and its routes, as they are now.
final class FabricView implements SubnetView {
    private final Sweep sweep;

    FabricView(Sweep sweep) {
        this.sweep = sweep;
    }

    private SubnetGraph graph() {
        return sweep.graph();
    }

    @Override
    public int vertices() {
        return graph().vertices();
    }

    @Override
    public boolean isPresent(int vertex) {
        return graph().isPresent(vertex) && graph().lid(vertex) != 0;
    }

    @Override
    public boolean isSwitch(int vertex) {
        return graph().isSwitch(vertex);
    }

    @Override
    public int lid(int vertex) {
        return graph().lid(vertex);
    }

    @Override
    public long guid(int vertex) {
        return graph().guid(vertex);
    }

    @Override
    public int vertexOf(long guid) {
        return graph().vertex(guid);
    }

    @Override
    public int vertexAt(int lid) {
        int vertex = sweep.vertexAt(lid);
        return vertex < graph().vertices() ? vertex : NONE;
    }

    @Override
    public MemorySegment nodeInfo(int vertex) {
        return MemorySegment.ofArray(graph().nodeInfo(vertex));
    }

    @Override
    public MemorySegment description(int vertex) {
        byte[] text = graph().description(vertex).getBytes(StandardCharsets.UTF_8);
        return MemorySegment.ofArray(Arrays.copyOf(text, Smp.DATA_LENGTH));
    }

    @Override
    public MemorySegment switchInfo(int vertex) {
        return MemorySegment.ofArray(graph().switchInfo(vertex));
    }

    @Override
    public int firstSlot(int vertex) {
        return graph().ownSlot(vertex);
    }

    @Override
    public int endSlot(int vertex) {
        return graph().endSlot(vertex);
    }

    @Override
    public int owner(int slot) {
        return graph().owner(slot);
    }

    @Override
    public int port(int slot) {
        return graph().port(slot);
    }

    @Override
    public int peer(int slot) {
        return graph().peer(slot);
    }

    @Override
    public MemorySegment portInfo(int slot) {
        return graph().infos().asSlice(graph().infoAt(slot), PortInfo.LENGTH);
    }

    @Override
    public int next(int vertex, int lid) {
        if (!isSwitch(vertex)) {
            return graph().ownSlot(vertex);
        }
        int port = sweep.forwardingPort(guid(vertex), lid);
        return port < 1 || port > graph().ports(vertex) ? NONE : graph().slot(vertex, port);
    }

    @Override
    public Partition.Port member(int vertex) {
        Partition.Who kind =
                switch (NodeInfo.NODE_TYPE.readInt(nodeInfo(vertex), 0)) {
                    case NodeInfo.SWITCH -> Partition.Who.ALL_SWITCHES;
                    case NodeInfo.ROUTER -> Partition.Who.ALL_ROUTERS;
                    default -> Partition.Who.ALL_CAS;
                };
        return new Partition.Port(guid(vertex), kind, vertex == 0);
    }

    @Override
    public int ownLid() {
        return vertices() == 0 ? 0 : lid(0);
    }

    @Override
    public int groupsMax() {
        int least = Integer.MAX_VALUE;
        for (int vertex = 0; vertex < vertices(); vertex++) {
            if (isSwitch(vertex) && isPresent(vertex)) {
                int own = SwitchInfo.MULTICAST_FDB_CAP.readInt(switchInfo(vertex), 0);
                least = Math.min(least, own);
            }
        }
        return least == Integer.MAX_VALUE ? 0 : least;
    }

    @Override
    public boolean isUp() {
        return sweep.isUp();
    }
}
