package dev.verbena.fabric;

import java.util.Arrays;
import java.util.TreeMap;

/// The cables along which packets to one multicast group go: a tree of shortest paths from one
/// switch of the highest tier to all others, and of it the branches that have members.
///
/// Groups begin at different switches of that tier, so that they share the cables above.
final class MulticastTree {
    private static final int NONE = -1;
    private static final int[] NO_PORTS = {};

    private final Topology topology;
    private final FixedRoutes graph;

    /// Switches from the root outwards; each with its parent, and the ports between them.
    private final int[] order;

    private final int[] parent;
    private final int[] portUp;
    private final int[] portDown;

    /// Members, each with the number of its memberships: several groups may share a tree.
    private final TreeMap<Integer, Integer> members = new TreeMap<>();

    /// By switch, the ports that lead to members.
    private final int[][] ports;

    /// @param group chooses the root
    MulticastTree(Topology topology, int group) {
        this.topology = topology;
        graph = topology.fixedRoutes();
        int switches = topology.switches();
        parent = new int[switches];
        portUp = new int[switches];
        portDown = new int[switches];
        ports = new int[switches][];
        Arrays.fill(ports, NO_PORTS);
        Arrays.fill(parent, NONE);
        order = spread(root(group));
    }

    private int root(int group) {
        int[] highest = {NONE};
        int tier = NONE;
        for (int at = 0; at < ports.length; at++) {
            if (graph.tier(at) > tier) {
                tier = graph.tier(at);
                highest = new int[] {at};
            } else if (graph.tier(at) == tier) {
                highest = Arrays.copyOf(highest, highest.length + 1);
                highest[highest.length - 1] = at;
            }
        }
        return highest[group % highest.length];
    }

    /// Finds the shortest path from the root to every switch; the first port where several do.
    private int[] spread(int root) {
        int[] line = new int[ports.length];
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

    void join(int host) {
        members.merge(host, 1, Integer::sum);
        prune();
    }

    void leave(int host) {
        members.computeIfPresent(host, (_, count) -> count > 1 ? count - 1 : null);
        prune();
    }

    /// A cable has copies to carry in a direction if there is a member at that side of it.
    private void prune() {
        int[] below = new int[ports.length];
        Arrays.fill(ports, NO_PORTS);
        for (int host : members.keySet()) {
            int at = topology.switchOf(host) - topology.hosts();
            below[at]++;
            add(at, topology.portOf(host));
        }
        for (int i = order.length - 1; i > 0; i--) {
            int at = order[i];
            if (below[at] > 0) {
                below[parent[at]] += below[at];
                add(parent[at], portDown[at]);
            }
        }
        int all = members.size();
        for (int i = 1; i < order.length; i++) {
            int at = order[i];
            if (below[at] < all) {
                add(at, portUp[at]);
            }
        }
    }

    private void add(int at, int port) {
        ports[at] = Arrays.copyOf(ports[at], ports[at].length + 1);
        ports[at][ports[at].length - 1] = port;
    }

    /// The ports of a switch that lead to members.
    int[] ports(int node) {
        return ports[node - topology.hosts()];
    }
}
