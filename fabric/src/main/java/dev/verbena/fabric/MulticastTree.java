package dev.verbena.fabric;

import java.util.Arrays;
import java.util.TreeMap;

/// The cables along which packets to one multicast group go: a tree of shortest paths from one
/// switch of the highest tier to all others, and of it the branches that have members.
///
/// Groups begin at different switches of that tier, so that they share the cables above.
final class MulticastTree {
    private static final int[] NO_PORTS = {};

    private final Topology topology;
    private final SwitchTree tree;

    /// Members, each with the number of its memberships: several groups may share a tree.
    private final TreeMap<Integer, Integer> members = new TreeMap<>();

    /// By switch, the ports that lead to members.
    private final int[][] ports;

    /// @param group chooses the root
    MulticastTree(Topology topology, int group) {
        this.topology = topology;
        tree = new SwitchTree(topology, group);
        ports = new int[topology.switches()][];
        Arrays.fill(ports, NO_PORTS);
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
        for (int i = tree.count() - 1; i > 0; i--) {
            int at = tree.at(i);
            if (below[at] > 0) {
                below[tree.parent(at)] += below[at];
                add(tree.parent(at), tree.portDown(at));
            }
        }
        int all = members.size();
        for (int i = 1; i < tree.count(); i++) {
            int at = tree.at(i);
            if (below[at] < all) {
                add(at, tree.portUp(at));
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
