package dev.verbena.fabric;

/// Where a switch stands, and so which way things go from there.
final class SwitchPlace {
    private final Topology topology;
    private final int node;
    private final String name;
    private final int leaf;
    private final RoutingTable usual;

    /// What is left of the usual one without cables that are down, see [Repair].
    private RoutingTable table;

    private final int[] leafOf;
    private final short[] portOf;

    /// @param leafOf by host, the leaf that it is at
    /// @param portOf by host, the port of its leaf
    SwitchPlace(Topology topology, int node, int[] leafOf, short[] portOf) {
        this.topology = topology;
        this.node = node;
        Topology.SwitchPlan plan = topology.plan(node);
        name = plan.name();
        leaf = plan.leaf();
        usual = plan.table();
        table = usual;
        this.leafOf = leafOf;
        this.portOf = portOf;
    }

    String name() {
        return name;
    }

    int node() {
        return node;
    }

    /// The port for all packets to a host on fixed routes, or [FixedRoutes#NOWHERE].
    int fixedPort(int destination) {
        return topology.fixedRoutes().port(node, destination);
    }

    /// The port of a host that is at this switch, or [FixedRoutes#NOWHERE].
    int ownPort(int host) {
        boolean isOwn = host >= 0 && host < leafOf.length && leafOf[host] == leaf;
        return isOwn ? portOf[host] : FixedRoutes.NOWHERE;
    }

    /// The table that the topology has.
    RoutingTable usual() {
        return usual;
    }

    void table(RoutingTable repaired) {
        table = repaired;
    }

    /// The ports that lead nearer to a host of another switch.
    short[] equal(int host) {
        return table.toLeaf(leafOf[host]);
    }

    /// The port for all packets to a host, as far as it is left.
    int leftPort(int host) {
        if (leafOf[host] == leaf) {
            return portOf[host];
        }
        short[] ports = equal(host);
        return ports.length == 0
                ? FixedRoutes.NOWHERE
                : FixedChooser.among(ports, fixedPort(host), host);
    }

    /// The port by which a packet leaves, or [FixedRoutes#NOWHERE].
    int port(long tag, RouteChooser chooser) {
        int destination = Tag.destination(tag);
        int target = leafOf[destination];
        if (target == leaf) {
            return portOf[destination];
        }
        short[] equal = table.toLeaf(target);
        if (equal.length > 1) {
            return chooser.choose(tag, equal);
        }
        return equal.length == 1 ? equal[0] : FixedRoutes.NOWHERE;
    }
}
