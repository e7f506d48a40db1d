package dev.verbena.plan;

import java.util.Arrays;

/// How many links each leaf of a plane has down, and to which nodes and rails.
///
/// @param firstNode by group of nodes, its first node; one more at the end
/// @param firstRail by leaf of a group, its first rail; one more at the end
/// @param management links to managers, by leaf
public record Seating(int[] firstNode, int[] firstRail, int[] management) {
    static Seating one(int nodes, int rails, int management) {
        return new Seating(new int[] {0, nodes}, new int[] {0, rails}, new int[] {management});
    }

    int groups() {
        return firstNode.length - 1;
    }

    /// Leaves of a group of nodes.
    int group() {
        return firstRail.length - 1;
    }

    int leaves() {
        return groups() * group();
    }

    int nodesAt(int leaf) {
        int group = leaf / group();
        return firstNode[group + 1] - firstNode[group];
    }

    int railsAt(int leaf) {
        int at = leaf % group();
        return firstRail[at + 1] - firstRail[at];
    }

    /// Links of a leaf to nodes and managers.
    int down(int leaf) {
        return nodesAt(leaf) * railsAt(leaf) + management[leaf];
    }

    public int most() {
        int most = 0;
        for (int leaf = 0; leaf < leaves(); leaf++) {
            most = Math.max(most, down(leaf));
        }
        return most;
    }

    int nodeLinks() {
        return firstNode[groups()] * firstRail[group()];
    }

    int managementLinks() {
        return Arrays.stream(management).sum();
    }
}
