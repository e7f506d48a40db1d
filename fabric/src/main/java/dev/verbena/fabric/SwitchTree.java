package dev.verbena.fabric;

import java.util.Arrays;

/// A tree of shortest paths from one switch of the highest tier to all others.
///
/// Switches are numbered from 0, without the hosts before them.
final class SwitchTree {
    static final int NONE = -1;

    private final FixedRoutes graph;

    /// Switches from the root outwards; each with its parent, and the ports between them.
    private final int[] order;

    private final int[] parent;
    private final int[] portUp;
    private final int[] portDown;

    /// @param number chooses the root, so that several trees share the cables above
    SwitchTree(Topology topology, int number) {
        graph = topology.fixedRoutes();
        int switches = topology.switches();
        parent = new int[switches];
        portUp = new int[switches];
        portDown = new int[switches];
        Arrays.fill(parent, NONE);
        order = spread(root(topology, number));
    }

    private int root(Topology topology, int number) {
        int[] highest = {NONE};
        int tier = NONE;
        for (int at = 0; at < parent.length; at++) {
            if (topology.plan(topology.hosts() + at).isInner()) {
                continue;
            }
            if (graph.tier(at) > tier) {
                tier = graph.tier(at);
                highest = new int[] {at};
            } else if (graph.tier(at) == tier) {
                highest = Arrays.copyOf(highest, highest.length + 1);
                highest[highest.length - 1] = at;
            }
        }
        return highest[number % highest.length];
    }

    /// Finds the shortest path from the root to every switch; the first port where several do.
    private int[] spread(int root) {
        int[] line = new int[parent.length];
        int end = 0;
        line[end++] = root;
        for (int i = 0; i < end; i++) {
            int at = line[i];
            for (int port = 0; port < graph.ports(at); port++) {
                int next = graph.neighbour(at, port);
                if (next != NONE && next != root && parent[next] == NONE) {
                    parent[next] = at;
                    portDown[next] = port;
                    portUp[next] = graph.farPort(at, port);
                    line[end++] = next;
                }
            }
        }
        return Arrays.copyOf(line, end);
    }

    /// Switches that the tree reaches.
    int count() {
        return order.length;
    }

    /// A switch by its place from the root outwards; the root has the first.
    int at(int place) {
        return order[place];
    }

    int parent(int at) {
        return parent[at];
    }

    /// The port of a switch that leads to its parent.
    int portUp(int at) {
        return portUp[at];
    }

    /// The port of its parent that leads to a switch.
    int portDown(int at) {
        return portDown[at];
    }
}
