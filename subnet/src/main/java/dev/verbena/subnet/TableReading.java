package dev.verbena.subnet;

import dev.verbena.subnet.state.Group;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.util.Collection;

/// Asks switches what an earlier manager has written, so that only what differs is written.
///
/// @param tables those that routes are written to
record TableReading(
        SubnetGraph graph, NodeKeys keys, ForwardingTables tables, GroupTables groupTables) {
    /// Queues the questions.
    ///
    /// @return nodes that do not hold the key of this term, and so cannot be changed
    int ask(Collection<Group> groups, LongQueue tasks) {
        int highest = groups.stream().mapToInt(it -> it.lid() - Group.FIRST_LID).max().orElse(0);
        int locked = 0;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!graph.isPresent(vertex)) {
                continue;
            }
            locked += keys.mayWrite(vertex) ? 0 : 1;
            if (keys.isFencing() && graph.isSwitch(vertex)) {
                ask(vertex, highest, tasks);
            }
        }
        return locked;
    }

    private void ask(int vertex, int highestGroup, LongQueue tasks) {
        MemorySegment info = MemorySegment.ofArray(graph.switchInfo(vertex));
        int top = Math.min(SwitchInfo.LINEAR_FDB_TOP.readInt(info, 0), tables.top());
        for (int block = 0; top > 0 && block <= top / ForwardingTables.BLOCK; block++) {
            if (!tables.isKnown(vertex, block)) {
                tasks.add(SmpKind.READ_BLOCK.at(vertex, block));
            }
        }
        int cap = SwitchInfo.MULTICAST_FDB_CAP.readInt(info, 0);
        for (int block : GroupTables.blocks(graph.ports(vertex), highestGroup)) {
            if (cap > 0 && !groupTables.isRead(vertex, block)) {
                tasks.add(SmpKind.READ_GROUPS.at(vertex, block));
            }
        }
    }
}
