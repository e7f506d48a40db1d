package dev.verbena.subnet;

import dev.verbena.subnet.admin.SubnetView;
import dev.verbena.subnet.state.Partition;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What subnet administration sees of a sweep: its graph and its routes, as they are now.
final class FabricView implements SubnetView {
    private final Sweep sweep;

    private @Nullable SubnetGraph routersOf;
    private int routersAmong;
    private int[] routers = new int[0];

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
    public int lids(int vertex) {
        return 1 << graph().lmc(vertex);
    }

    @Override
    public long guid(int vertex) {
        return graph().guid(vertex);
    }

    @Override
    public long prefix() {
        return sweep.settings().prefix();
    }

    @Override
    public int router(Gid destination) {
        if (destination.high() == prefix() || destination.high() == DEFAULT_PREFIX) {
            return NONE;
        }
        for (PrefixRoute route : sweep.settings().routes()) {
            if (route.leadsTo(destination)) {
                int[] found =
                        Arrays.stream(routers())
                                .filter(this::isPresent)
                                .filter(it -> route.guid() == 0 || guid(it) == route.guid())
                                .toArray();
                // The same router for all who ask for a destination.
                return found.length == 0 ? NONE : found[spread(destination.low()) % found.length];
            }
        }
        return NONE;
    }

    /// A number without a pattern that GUIDs could have.
    private static int spread(long guid) {
        return (int) ((guid * 0x9E37_79B9_7F4A_7C15L) >>> 33);
    }

    /// The ports of routers, by GUID. What a node is does not change while its graph lives, so they
    /// are looked for again only when there are more nodes.
    private int[] routers() {
        if (routersOf != graph() || routersAmong != vertices()) {
            routersOf = graph();
            routersAmong = vertices();
            routers =
                    IntStream.range(0, vertices())
                            .filter(it -> member(it).kind() == Partition.Who.ALL_ROUTERS)
                            .boxed()
                            .sorted(Comparator.comparing(this::guid, Long::compareUnsigned))
                            .mapToInt(Integer::intValue)
                            .toArray();
        }
        return routers;
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
        int port = sweep.tables().port(vertex, lid);
        return port < 1 || port > graph().ports(vertex) ? NONE : graph().slot(vertex, port);
    }

    @Override
    public int level(int vertex, int other) {
        return sweep.level(vertex, other);
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

    /// The port GUID of the manager; 0 before it is known.
    long ownGuid() {
        return vertices() == 0 ? 0 : guid(0);
    }

    /// The LID of a port GUID, or of a switch's node GUID; 0 if it has none.
    int lid(long guid) {
        int vertex = vertexOf(guid);
        return vertex == NONE ? 0 : lid(vertex);
    }

    /// The service level of packets between two ports; 0 where any will do.
    int level(long guid, long otherGuid) {
        int vertex = vertexOf(guid);
        int other = vertexOf(otherGuid);
        return vertex == NONE || other == NONE ? 0 : Math.max(0, level(vertex, other));
    }

    /// The port by which a switch sends packets to a LID; 255: none.
    int forwardingPort(long switchGuid, int lid) {
        int vertex = vertexOf(switchGuid);
        return vertex == NONE || !isSwitch(vertex) || lid < 0
                ? ForwardingTables.NOWHERE
                : sweep.tables().port(vertex, lid);
    }
}
