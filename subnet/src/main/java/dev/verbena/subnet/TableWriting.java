package dev.verbena.subnet;

import dev.verbena.subnet.state.Partitions;
import dev.verbena.subnet.state.SubnetState;

/// Queues writes of what nodes have otherwise than it is to be: forwarding tables, tables of lanes,
/// groups and partitions.
final class TableWriting {
    private final SubnetGraph graph;
    private final FabricView view;
    private final SubnetState state;
    private final LongQueue tasks;
    private final ForwardingTables tables;
    private final GroupTables groupTables;
    private final GroupTrees groups;
    private final KeyTables keys;
    private final LevelTables levels;
    private final Requests requests;

    /// The partitions of the last round that wrote tables.
    private Partitions planned = Partitions.NONE;

    TableWriting(
            SubnetGraph graph,
            FabricView view,
            SubnetState state,
            LongQueue tasks,
            ForwardingTables tables,
            GroupTables groupTables,
            GroupTrees groups,
            KeyTables keys,
            LevelTables levels,
            Requests requests) {
        this.graph = graph;
        this.view = view;
        this.state = state;
        this.tasks = tasks;
        this.tables = tables;
        this.groupTables = groupTables;
        this.groups = groups;
        this.keys = keys;
        this.levels = levels;
        this.requests = requests;
    }

    /// Asks for partition tables that are not known, if there are partitions.
    ///
    /// @param isQuiet whether the round is for groups and partitions only
    void readKeys(boolean isQuiet) {
        if (areKeysRight(isQuiet)) {
            return;
        }
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            int blocks = KeyTables.blocks(graph.partitionCap(vertex));
            for (int block = 0; block < blocks && view.isPresent(vertex); block++) {
                if (!keys.isRead(vertex, block)) {
                    tasks.add(SmpKind.KEYS.at(vertex, block));
                }
            }
        }
    }

    /// Writes the blocks of forwarding tables that differ.
    ///
    /// @param topLid the highest that a table is to have
    /// @return switches that have no room for it
    int writeRoutes(int topLid) {
        int small = 0;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!graph.isSwitch(vertex) || !graph.isPresent(vertex)) {
                continue;
            }
            int top = requests.top(vertex);
            small += top < topLid ? 1 : 0;
            if (requests.isTopOther(vertex)) {
                tasks.add(SmpKind.SET_SWITCH.at(vertex));
            }
            for (int block = 0; block <= top / ForwardingTables.BLOCK; block++) {
                if (tables.isChanged(vertex, block)) {
                    tasks.add(SmpKind.SET_BLOCK.at(vertex, block));
                }
            }
        }
        return small;
    }

    /// Writes tables of lanes, and tells nodes their service level to the manager.
    void writeLevels(PortSetup setup, boolean areLanesUsed) {
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (view.isPresent(vertex)) {
                if (areLanesUsed) {
                    levels.queue(vertex, tasks);
                }
                if (setup.isLevelOther(graph, vertex)) {
                    tasks.add(SmpKind.SET_PORT.at(graph.ownSlot(vertex)));
                }
            }
        }
    }

    /// Whether no partition table can have to change: in a round that groups have caused.
    private boolean areKeysRight(boolean isQuiet) {
        Partitions now = state.partitions();
        return now.isNone() || (isQuiet && now.equals(planned));
    }

    /// Writes blocks of multicast and partition tables that differ.
    ///
    /// @return keys for which tables have no room
    int writeState(SwitchGraph switches, boolean isQuiet) {
        int failures = 0;
        groups.update(graph, switches, !isQuiet);
        Partitions partitions = state.partitions();
        boolean areRight = areKeysRight(isQuiet);
        planned = partitions;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!view.isPresent(vertex)) {
                continue;
            }
            for (int block : groupTables.changed(vertex)) {
                tasks.add(SmpKind.SET_GROUPS.at(vertex, block));
            }
            if (areRight) {
                continue;
            }
            int cap = graph.partitionCap(vertex);
            failures += keys.plan(vertex, cap, partitions.keys(view.member(vertex)));
            for (int block = 0; block < KeyTables.blocks(cap); block++) {
                if (keys.isChanged(vertex, block)) {
                    tasks.add(SmpKind.SET_KEYS.at(vertex, block));
                }
            }
        }
        return failures;
    }
}
