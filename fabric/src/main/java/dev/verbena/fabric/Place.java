package dev.verbena.fabric;

/// Where a switch stands, and so which way things go from there.
final class Place {
    private final String name;
    private final int leaf;
    private final RoutingTable table;
    private final int[] leafOf;
    private final short[] portOf;

    /// @param leaf its number among the leaves, or -1
    /// @param leafOf by host, the leaf that it is at
    /// @param portOf by host, the port of its leaf
    Place(String name, int leaf, RoutingTable table, int[] leafOf, short[] portOf) {
        this.name = name;
        this.leaf = leaf;
        this.table = table;
        this.leafOf = leafOf;
        this.portOf = portOf;
    }

    String name() {
        return name;
    }

    /// Whether any way leads to a host.
    boolean leadsTo(int destination) {
        int target = leafOf[destination];
        return target == leaf || table.toLeaf(target).length > 0;
    }

    /// The port for all packets to a host, where tables hold one: equal ways by turns.
    int fixedPort(int destination) {
        int target = leafOf[destination];
        if (target == leaf) {
            return portOf[destination];
        }
        short[] equal = table.toLeaf(target);
        return equal[destination % equal.length];
    }

    /// The port by which a packet leaves.
    int port(long tag, RouteChooser chooser) {
        int destination = Tag.destination(tag);
        int target = leafOf[destination];
        if (target == leaf) {
            return portOf[destination];
        }
        short[] equal = table.toLeaf(target);
        return equal.length == 1 ? equal[0] : chooser.choose(tag, equal);
    }
}
