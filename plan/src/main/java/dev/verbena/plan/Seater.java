package dev.verbena.plan;

import dev.verbena.plan.Inputs.Rule;

/// Puts nodes at leaves: in groups of nodes, and each group at one leaf, or at one for each rail or
/// for some of them.
final class Seater {
    private final int nodes;
    private final int rails;
    private final int management;
    private final Rule rule;

    Seater(int nodes, int rails, int management, Rule rule) {
        this.nodes = nodes;
        this.rails = rails;
        this.management = management;
        this.rule = rule;
    }

    /// @param most links down of a leaf
    /// @param pair whether two leaves are wanted
    /// @param together whether all rails of a node are at one leaf
    Seating seat(int most, boolean pair, boolean together) {
        int positions = nodes + Math.ceilDiv(management, rails);
        int perLeaf = together ? rails : railsPerLeaf(most, positions, pair);
        int leaves = Math.ceilDiv(rails, perLeaf);
        int shared = Math.ceilDiv(rails, leaves);
        int groupMax = most / shared;
        if (groupMax == 0) {
            throw new PlanException(
                    "%d NICs of a node at a leaf for %d: use another layout or a larger switch"
                            .formatted(shared, most));
        }
        int groups = Math.ceilDiv(positions, groupMax);
        if (pair && leaves == 1) {
            groups = Math.max(groups, 2);
        }
        // Full groups where their size was asked for, else groups of equal size.
        int[] sizes = new int[groups];
        for (int i = 0; i < groups; i++) {
            sizes[i] =
                    rule.hostsPerLeaf() > 0
                            ? Math.min(groupMax, positions - i * groupMax)
                            : positions / groups + (i < positions % groups ? 1 : 0);
        }
        int[] firstRail = new int[leaves + 1];
        for (int i = 0; i < leaves; i++) {
            firstRail[i + 1] = firstRail[i] + rails / leaves + (i < rails % leaves ? 1 : 0);
        }
        return seated(sizes, firstRail);
    }

    /// Nodes come first; managers take the positions that are left, a rail each.
    private Seating seated(int[] sizes, int[] firstRail) {
        int leaves = firstRail.length - 1;
        int[] firstNode = new int[sizes.length + 1];
        int[] managers = new int[sizes.length * leaves];
        int left = management;
        int start = 0;
        for (int group = 0; group < sizes.length; group++) {
            int end = start + sizes[group];
            firstNode[group + 1] = Math.min(end, nodes);
            for (int position = Math.max(start, nodes); position < end; position++) {
                for (int rail = 0; rail < rails && left > 0; rail++, left--) {
                    managers[group * leaves + leafOf(rail, firstRail)]++;
                }
            }
            start = end;
        }
        return new Seating(firstNode, firstRail, managers);
    }

    private static int leafOf(int rail, int[] firstRail) {
        int leaf = 0;
        while (firstRail[leaf + 1] <= rail) {
            leaf++;
        }
        return leaf;
    }

    private int railsPerLeaf(int most, int positions, boolean pair) {
        if (rule.railsPerLeaf() > 0) {
            return Math.min(rails, rule.railsPerLeaf());
        }
        if (pair) {
            return Math.ceilDiv(rails, 2);
        }
        return Math.clamp(most / positions, 1, rails);
    }
}
