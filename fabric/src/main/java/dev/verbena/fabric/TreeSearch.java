package dev.verbena.fabric;

import dev.verbena.fabric.FatTree.Core;
import dev.verbena.fabric.FatTree.Pod;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// Finds the tree with the fewest switches for a number of hosts.
///
/// It looks at every tree of equal leaves, equal pods and equal numbers of parallel cables in which
///
/// - a leaf has at most `oversubscription` hosts for each uplink,
/// - an aggregation has at least as many uplinks as downlinks, and
/// - no switch has more cables than ports.
///
/// Of trees with equally many switches it takes one whose leaves and pods are all full, since there
/// every shift runs at full rate on fixed routes; then one with the fewest cables.
final class TreeSearch {
    private static final int RADIX_MAX = Tag.PORTS_MAX;

    /// So that a ratio such as 1.1 does not cost an uplink by its last bit.
    private static final double ROUNDING = 1e-9;

    private static final Comparator<FatTree> BETTER =
            Comparator.comparingInt(FatTree::switches)
                    .thenComparing(FatTree::isEven, Comparator.reverseOrder())
                    .thenComparingInt(FatTree::cables);

    private final int hosts;
    private final int radix;
    private final double oversubscription;
    private @Nullable FatTree best;

    TreeSearch(int hosts, int radix, double oversubscription) {
        if (radix < 2 || radix > RADIX_MAX) {
            throw new IllegalArgumentException(
                    "switches of %d ports: use 2 to %,d".formatted(radix, RADIX_MAX));
        }
        if (!(oversubscription > 0 && oversubscription < radix)) {
            throw new IllegalArgumentException(
                    "%s hosts for each uplink of a leaf: use more than 0 and less than %d"
                            .formatted(oversubscription, radix));
        }
        this.hosts = hosts;
        this.radix = radix;
        this.oversubscription = oversubscription;
    }

    /// The fewest tiers that have room, or the most there can be.
    int tiers() {
        return hosts <= capacity(1) ? 1 : hosts <= capacity(2) ? 2 : 3;
    }

    FatTree find(int tiers) {
        if (tiers < 1 || tiers > 3) {
            throw new IllegalArgumentException(tiers + " tiers: use 1, 2 or 3");
        }
        if (hosts < 2 || hosts > capacity(tiers)) {
            throw new IllegalArgumentException(
                    "%,d hosts: %d %s of %d-port switches %s room for 2 to %,d"
                            .formatted(
                                    hosts,
                                    tiers,
                                    tiers == 1 ? "tier" : "tiers",
                                    radix,
                                    tiers == 1 ? "has" : "have",
                                    capacity(tiers)));
        }
        if (tiers == 1) {
            return FatTree.single(hosts, radix);
        }
        for (int leaves = Math.max(2, Math.ceilDiv(hosts, hostsPerLeafMax()));
                leaves < limit();
                leaves++) {
            int perLeaf = Math.ceilDiv(hosts, leaves);
            if (Math.ceilDiv(hosts, perLeaf) != leaves) {
                continue;
            }
            if (tiers == 2) {
                spines(perLeaf, leaves);
            } else {
                pods(perLeaf, leaves);
            }
        }
        if (best == null) {
            throw new AssertionError("no tree for " + hosts + " hosts");
        }
        return best;
    }

    private int uplinks(int hostsPerLeaf) {
        return (int) Math.ceil(hostsPerLeaf / oversubscription - ROUNDING);
    }

    private int hostsPerLeafMax() {
        int most = radix - 1;
        while (most > 0 && most + uplinks(most) > radix) {
            most--;
        }
        return most;
    }

    private int capacity(int tiers) {
        return switch (tiers) {
            case 1 -> radix;
            case 2 -> hostsPerLeafMax() * radix;
            default -> hostsPerLeafMax() * (radix / 2) * radix;
        };
    }

    /// Trees of so many switches have more than the one that is found.
    private int limit() {
        return best == null ? Integer.MAX_VALUE : best.switches() + 1;
    }

    private void consider(FatTree tree) {
        if (best == null || BETTER.compare(tree, best) < 0) {
            best = tree;
        }
    }

    private void spines(int perLeaf, int leaves) {
        int uplinks = uplinks(perLeaf);
        int cablesMax = radix / leaves;
        if (cablesMax == 0) {
            return;
        }
        for (int spines = Math.ceilDiv(uplinks, cablesMax);
                spines <= uplinks && leaves + spines < limit();
                spines++) {
            int cables = Math.ceilDiv(uplinks, spines);
            if (perLeaf + spines * cables <= radix) {
                Pod pod = new Pod(perLeaf, leaves, spines, cables);
                consider(new FatTree(hosts, radix, pod, Core.NONE));
                return;
            }
        }
    }

    private void pods(int perLeaf, int leafCount) {
        int uplinks = uplinks(perLeaf);
        for (int pods = 2; pods <= Math.min(leafCount, radix); pods++) {
            int leaves = Math.ceilDiv(leafCount, pods);
            if (Math.ceilDiv(leafCount, leaves) != pods) {
                continue;
            }
            for (int a = 1; a <= uplinks && leafCount + pods * a < limit(); a++) {
                Pod pod = new Pod(perLeaf, leaves, a, Math.ceilDiv(uplinks, a));
                int downlinks = leaves * pod.cables();
                if (perLeaf + pod.uplinks() <= radix && 2 * downlinks <= radix) {
                    cores(pod, pods, leafCount + pods * a);
                }
            }
        }
    }

    /// @param below switches of the lower tiers
    private void cores(Pod pod, int pods, int below) {
        int downlinks = pod.leaves() * pod.cables();
        for (int groups = 1; groups <= pod.aggregations(); groups++) {
            int shared = pod.aggregations() / groups;
            int cablesMax = radix / (pods * shared);
            if (pod.aggregations() % groups != 0 || cablesMax == 0) {
                continue;
            }
            for (int perGroup = Math.ceilDiv(downlinks, cablesMax);
                    perGroup <= downlinks && below + groups * perGroup < limit();
                    perGroup++) {
                Core core = new Core(groups, perGroup, Math.ceilDiv(downlinks, perGroup));
                if (downlinks + core.uplinks() <= radix) {
                    consider(new FatTree(hosts, radix, pod, core));
                    break;
                }
            }
        }
    }
}
