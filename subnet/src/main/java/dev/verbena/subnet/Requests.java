package dev.verbena.subnet;

import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;

/// Writes the datagram of a request.
final class Requests {
    /// In the place of a block: the switch forgets that its ports have changed.
    static final int CLEAR = 1;

    /// The vertex of the manager's own port.
    private static final int OWN = 0;

    private static final int INITIAL_PATH = DirectedRoute.INITIAL_PATH + 1;

    private final SubnetGraph graph;
    private final ForwardingTables tables;
    private final GroupTables groups;
    private final KeyTables keys;
    private final PortSetup setup;
    private final NodeKeys nodeKeys;
    private final LevelTables levels;
    private final Rivals rivals;
    private final byte[] path = new byte[DirectedRoute.HOPS_MAX];

    Requests(
            SubnetGraph graph,
            ForwardingTables tables,
            GroupTables groups,
            KeyTables keys,
            PortSetup setup,
            NodeKeys nodeKeys,
            LevelTables levels,
            Rivals rivals) {
        this.graph = graph;
        this.tables = tables;
        this.groups = groups;
        this.keys = keys;
        this.setup = setup;
        this.nodeKeys = nodeKeys;
        this.levels = levels;
        this.rivals = rivals;
    }

    /// Writes a request as the graph is now, with the way that is known now.
    ///
    /// @param retry how often it was sent before
    /// @return whether it is still needed, and its node within 63 hops
    boolean write(long task, int transaction, int retry, MemorySegment to) {
        SmpKind kind = SmpKind.of(task);
        int place = SmpKind.place(task);
        int vertex = vertex(kind, place);
        boolean isRoot = vertex == SubnetGraph.NONE;
        if (!isRoot && !graph.isPresent(vertex)) {
            return false;
        }
        boolean isSet = kind.method() == MadMethod.SET && kind != SmpKind.FENCE;
        if (isSet && !nodeKeys.mayWrite(vertex)) {
            return false;
        }
        // The node may have taken the new key, and its answer was lost.
        boolean isNewKey = kind == SmpKind.FENCE && retry % 2 == 1;
        long key = isNewKey ? nodeKeys.current() : nodeKeys.of(vertex);
        Smp.request(to, 0, header(kind, task, transaction), key);
        int hops = isRoot ? 0 : graph.path(vertex, path);
        if (kind == SmpKind.NODE_INFO && !isRoot) {
            boolean isKnown = graph.peer(place) != SubnetGraph.NONE;
            if (hops == path.length || (isKnown && SmpKind.block(task) != Discovery.VERIFY)) {
                return false;
            }
            path[hops++] = (byte) graph.port(place);
        }
        if (hops == SubnetGraph.NONE) {
            return false;
        }
        DirectedRoute.HOP_COUNT.write(to, 0, hops);
        DirectedRoute.DR_SLID.write(to, 0, DirectedRoute.PERMISSIVE);
        DirectedRoute.DR_DLID.write(to, 0, DirectedRoute.PERMISSIVE);
        MemorySegment.copy(MemorySegment.ofArray(path), 0, to, INITIAL_PATH, hops);
        return fill(kind, place, SmpKind.block(task), to);
    }

    /// The node that a request goes to, or from which it goes on; [SubnetGraph#NONE] for the
    /// manager's before it is known.
    int vertex(SmpKind kind, int place) {
        if (place == SubnetGraph.NONE) {
            return SubnetGraph.NONE;
        }
        return kind.isAtPort() ? graph.owner(place) : place;
    }

    private Mad header(SmpKind kind, long task, int transaction) {
        return new Mad(
                ManagementClass.SUBNET_DIRECTED_ROUTE,
                Smp.CLASS_VERSION,
                kind.method(),
                0,
                0,
                Integer.toUnsignedLong(transaction),
                kind.attributeId(),
                modifier(kind, task));
    }

    int modifier(SmpKind kind, long task) {
        if (kind.isOfPort()) {
            return graph.port(SmpKind.place(task));
        }
        return switch (kind) {
            case SET_BLOCK, READ_BLOCK, KEYS, SET_KEYS, SET_SM_INFO -> SmpKind.block(task);
            case SET_GROUPS, READ_GROUPS -> GroupTables.modifier(SmpKind.block(task));
            case SET_LEVELS -> levels.modifier(SmpKind.place(task), SmpKind.block(task));
            case SET_WEIGHTS -> SmpKind.block(task) << 16 | graph.port(SmpKind.place(task));
            default -> 0;
        };
    }

    private boolean fill(SmpKind kind, int place, int block, MemorySegment to) {
        return switch (kind) {
            case SET_PORT -> setup.setUp(graph, place, to, Smp.DATA);
            case FENCE -> {
                setup.fence(graph, place, to, Smp.DATA);
                yield true;
            }
            case ACTIVATE -> setup.activate(graph, place, to, Smp.DATA);
            case SET_SWITCH -> setSwitch(place, block, to);
            case SET_BLOCK -> {
                MemorySegment table = MemorySegment.ofArray(tables.wanted(place));
                long from = (long) block * SmpBlocks.LIDS;
                MemorySegment.copy(table, from, to, Smp.DATA, SmpBlocks.LIDS);
                yield tables.isChanged(place, block);
            }
            case SET_GROUPS -> {
                groups.write(place, block, to, Smp.DATA);
                yield groups.isChanged(place, block);
            }
            case SET_KEYS -> {
                keys.write(place, block, to, Smp.DATA);
                yield keys.isChanged(place, block);
            }
            case SET_LEVELS -> {
                levels.writeLevels(place, to, Smp.DATA);
                yield true;
            }
            case SET_WEIGHTS -> {
                levels.writeWeights(place, block, to, Smp.DATA);
                yield true;
            }
            case SET_SM_INFO -> {
                SmInfo.GUID.write(to, Smp.DATA, graph.guid(OWN));
                SmInfo.SM_KEY.write(to, Smp.DATA, Traffic.TRUST_KEY);
                SmInfo.PRIORITY.write(to, Smp.DATA, rivals.priority());
                SmInfo.SM_STATE.write(to, Smp.DATA, rivals.role().code());
                yield true;
            }
            default -> true;
        };
    }

    private boolean setSwitch(int vertex, int clear, MemorySegment to) {
        byte[] info = graph.switchInfo(vertex);
        MemorySegment.copy(MemorySegment.ofArray(info), 0, to, Smp.DATA, info.length);
        // 0 leaves the report alone: it may have come after the ports were read.
        SwitchInfo.PORT_STATE_CHANGE.write(to, Smp.DATA, clear == CLEAR ? 1 : 0);
        if (clear != CLEAR) {
            SwitchInfo.LINEAR_FDB_TOP.write(to, Smp.DATA, top(vertex));
        }
        return true;
    }

    /// The highest LID of a switch's table: that of all tables, or as many as it has room for.
    int top(int vertex) {
        MemorySegment info = MemorySegment.ofArray(graph.switchInfo(vertex));
        int cap = SwitchInfo.LINEAR_FDB_CAP.readInt(info, 0);
        return Math.max(0, Math.min(tables.top(), cap - 1));
    }

    /// Whether a switch has another highest LID than it is to have.
    boolean isTopOther(int vertex) {
        MemorySegment info = MemorySegment.ofArray(graph.switchInfo(vertex));
        return SwitchInfo.LINEAR_FDB_TOP.readInt(info, 0) != top(vertex);
    }

    /// Whether an answer shows that a port became what was asked for.
    boolean isDone(SmpKind kind, int slot, MemorySegment mad) {
        int state = PortInfo.PORT_STATE.readInt(mad, Smp.DATA);
        return kind == SmpKind.SET_PORT
                ? !setup.setUp(graph, slot, scratch(), 0)
                : state == PortSetup.ACTIVE;
    }

    private static MemorySegment scratch() {
        return MemorySegment.ofArray(new byte[PortInfo.LENGTH]);
    }
}
