package dev.verbena.fabric;

/// Which ports of a switch lead nearer to a destination: a group of equal ones for each leaf.
///
/// Switches that stand alike share one.
final class RoutingTable {
    private static final short[] NONE = {};

    private final short[] groups;
    private final short[][] ports;

    /// @param groups by leaf, the number of a group
    /// @param ports by group, ports that are equally near
    RoutingTable(short[] groups, short[][] ports) {
        this.groups = groups;
        this.ports = ports;
    }

    /// The ports that lead nearer to a leaf; none to one of another part of the network.
    short[] toLeaf(int leaf) {
        return leaf < groups.length ? ports[groups[leaf]] : NONE;
    }
}
