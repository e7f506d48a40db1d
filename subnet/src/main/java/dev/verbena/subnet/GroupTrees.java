package dev.verbena.subnet;

import dev.verbena.subnet.state.Group;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.Gid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A tree of switches for each multicast group, with the ports of its members.
///
/// A tree keeps its links until one of them is gone, a member comes or goes, or a member was out of
/// reach: so a link that returns moves no group that is whole.
final class GroupTrees {
    private final SubnetState state;
    private final GroupTables tables;
    private final Map<Integer, Tree> trees = new HashMap<>();
    private final BitSet touched = new BitSet();

    /// @param members places of members: a switch, a port, and whether packets go there
    /// @param ports by switch, those to members and to other switches of the tree
    /// @param links slots of the tree's links, each followed by its other end
    private record Tree(
            List<Long> members, Map<Integer, BitSet> ports, List<Integer> links, boolean isWhole) {}

    GroupTrees(SubnetState state, GroupTables tables) {
        this.state = state;
        this.tables = tables;
    }

    /// A group came, went, or has other members.
    void touch(int lid) {
        touched.set(lid - Group.FIRST_LID);
    }

    /// Brings trees and tables in line.
    ///
    /// @param isAll whether links may have changed, and not only groups that were touched
    /// @return trees that were computed
    int update(SubnetGraph subnet, SwitchGraph graph, boolean isAll) {
        if (isAll) {
            trees.keySet().forEach(touched::set);
            state.groups().forEach(it -> touch(it.lid()));
        }
        TreeShapes shapes = new TreeShapes(subnet, graph);
        int computed = 0;
        for (int index = touched.nextSetBit(0); index >= 0; index = touched.nextSetBit(index + 1)) {
            List<Long> members =
                    state.group(Group.FIRST_LID + index)
                            .map(it -> places(subnet, it))
                            .orElse(List.of());
            Tree before = trees.get(index);
            if (before == null || !isRight(subnet, before, members)) {
                put(subnet, shapes, index, members);
                computed++;
            }
        }
        touched.clear();
        return computed;
    }

    private static boolean isRight(SubnetGraph subnet, Tree tree, List<Long> members) {
        if (!tree.isWhole || !tree.members.equals(members)) {
            return false;
        }
        for (int i = 0; i < tree.links.size(); i += 2) {
            if (subnet.peer(tree.links.get(i)) != tree.links.get(i + 1)) {
                return false;
            }
        }
        return true;
    }

    /// Where the members of a group are, in order.
    private static List<Long> places(SubnetGraph subnet, Group group) {
        Map<Long, Boolean> places = new TreeMap<>();
        group.members()
                .forEach(
                        (port, it) -> {
                            int slot = place(subnet, port);
                            if (slot != SubnetGraph.NONE) {
                                places.merge((long) slot, it.receives(), Boolean::logicalOr);
                            }
                        });
        return places.entrySet().stream()
                .map(it -> it.getKey() << 1 | (it.getValue() ? 1 : 0))
                .toList();
    }

    /// The port of a switch at which a member is: of a switch itself port 0.
    private static int place(SubnetGraph subnet, Gid port) {
        int vertex = subnet.vertex(port.low());
        if (vertex == SubnetGraph.NONE || !subnet.isPresent(vertex)) {
            return SubnetGraph.NONE;
        }
        if (subnet.isSwitch(vertex)) {
            return subnet.ownSlot(vertex);
        }
        int peer = subnet.peer(subnet.ownSlot(vertex));
        boolean isAtSwitch = peer != SubnetGraph.NONE && subnet.isSwitch(subnet.owner(peer));
        return isAtSwitch ? peer : SubnetGraph.NONE;
    }

    private void put(SubnetGraph subnet, TreeShapes shapes, int index, List<Long> members) {
        Map<Integer, BitSet> ports = new TreeMap<>();
        List<Integer> links = new ArrayList<>();
        BitSet switches = new BitSet();
        for (long member : members) {
            switches.set(subnet.owner((int) (member >> 1)));
        }
        boolean isWhole = shapes.join(switches, index, links);
        for (int slot : links) {
            port(subnet, ports, slot);
        }
        for (long member : members) {
            if ((member & 1) != 0) {
                port(subnet, ports, (int) (member >> 1));
            }
        }
        Tree before = trees.get(index);
        if (before != null) {
            before.ports.keySet().stream()
                    .filter(it -> !ports.containsKey(it))
                    .forEach(it -> tables.set(it, subnet.ports(it), index, new BitSet()));
        }
        ports.forEach((vertex, set) -> tables.set(vertex, subnet.ports(vertex), index, set));
        if (members.isEmpty()) {
            trees.remove(index);
        } else {
            trees.put(index, new Tree(members, ports, links, isWhole));
        }
    }

    private static void port(SubnetGraph subnet, Map<Integer, BitSet> ports, int slot) {
        ports.computeIfAbsent(subnet.owner(slot), _ -> new BitSet()).set(subnet.port(slot));
    }
}
