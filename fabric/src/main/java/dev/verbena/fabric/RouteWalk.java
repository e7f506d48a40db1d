package dev.verbena.fabric;

import java.util.function.IntUnaryOperator;

/// Follows the routes of a topology from host to host, as switches would, without a packet.
public final class RouteWalk {
    /// The packet would be dropped, or go round.
    public static final int LOST = -1;

    private final Topology topology;
    private final FixedRoutes routes;

    public RouteWalk(Topology topology) {
        this.topology = topology;
        routes = topology.fixedRoutes();
    }

    /// How many switches a packet passes on the routes of Ethernet, or [#LOST].
    ///
    /// @param choice of so many equally near ports, the number of the one that is taken
    public int spread(int from, int to, IntUnaryOperator choice) {
        return walk(
                from,
                to,
                node -> {
                    short[] equal = topology.plan(node).table().toLeaf(topology.leafOf(to));
                    return equal.length == 0
                            ? FixedRoutes.NOWHERE
                            : equal[choice.applyAsInt(equal.length)];
                });
    }

    /// How many switches a packet passes on the routes of InfiniBand, or [#LOST].
    public int fixed(int from, int to) {
        return walk(from, to, node -> routes.port(node, to));
    }

    /// @param port by switch, the port by which the packet leaves
    private int walk(int from, int to, IntUnaryOperator port) {
        int node = topology.switchOf(from);
        int goal = topology.switchOf(to);
        for (int passed = 1; passed <= topology.switches(); passed++) {
            if (node == goal) {
                return passed;
            }
            int out = port.applyAsInt(node);
            int next =
                    out == FixedRoutes.NOWHERE
                            ? -1
                            : routes.neighbour(node - topology.hosts(), out);
            if (next < 0) {
                return LOST;
            }
            node = topology.hosts() + next;
        }
        return LOST;
    }
}
