package dev.verbena.plan;

import java.util.Arrays;

/// How many links each leaf of a plane has down, and to which nodes and rails.
public final class Seating {
    private final int[] firstNode;
    private final int[] firstRail;
    private final int[] management;

    /// @param firstNode by group of nodes, its first node; one more at the end
    /// @param firstRail by leaf of a group, its first rail; one more at the end
    /// @param management links to managers, by leaf
    Seating(int[] firstNode, int[] firstRail, int[] management) {
        this.firstNode = firstNode;
        this.firstRail = firstRail;
        this.management = management;
    }

    static Seating one(int nodes, int rails, int management) {
        return new Seating(new int[] {0, nodes}, new int[] {0, rails}, new int[] {management});
    }

    /// The first node of a group; of the number of groups, how many nodes there are.
    int firstNode(int group) {
        return firstNode[group];
    }

    /// The first rail of a leaf of a group; of the number of leaves, how many rails there are.
    int firstRail(int leafOfGroup) {
        return firstRail[leafOfGroup];
    }

    /// Links of a leaf to managers.
    int management(int leaf) {
        return management[leaf];
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

    /// Links down of the fullest leaf.
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
