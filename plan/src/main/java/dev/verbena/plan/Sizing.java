package dev.verbena.plan;

import dev.verbena.plan.Inputs.Cluster;
import dev.verbena.plan.Inputs.Rule;
import dev.verbena.plan.Inputs.Tiers;
import java.util.ArrayList;
import java.util.List;

/// Decides how many switches there are: arithmetic only.
///
/// A leaf with `d` hosts has `ceil(d / oversubscription)` uplinks, as many as the fullest leaf.
/// There are as few spines as have ports for all uplinks, and as few cores. All leaves have equally
/// many uplinks, and all pods equally many spines.
final class Sizing {
    /// So that a ratio such as 1.1 does not cost an uplink by its last bit.
    private static final double ROUNDING = 1e-9;

    private final Cluster cluster;
    private final Rule rule;
    private final Radices radices;

    Sizing(Cluster cluster, Rule rule, Radices radices) {
        this.cluster = cluster;
        this.rule = rule;
        this.radices = radices;
    }

    /// The size of every plane, for so many nodes.
    List<Sized> planes() {
        List<Sized> planes = new ArrayList<>();
        boolean split = rule.layout() == Layout.PLANES;
        for (int port = 0; port < cluster.portsPerNic(); port++) {
            for (int rail = 0; rail < (split ? cluster.nicsPerNode() : 1); rail++) {
                planes.add(plane(split ? managementAt(rail) : cluster.managementPorts()));
            }
        }
        return planes;
    }

    /// Management links take the rails in turn.
    private int managementAt(int rail) {
        int rails = cluster.nicsPerNode();
        return cluster.managementPorts() / rails
                + (rail < cluster.managementPorts() % rails ? 1 : 0);
    }

    private int rails() {
        return rule.layout() == Layout.PLANES ? 1 : cluster.nicsPerNode();
    }

    private int ports() {
        return radices.leaf() - rule.reservedPorts();
    }

    private Sized plane(int management) {
        long links = (long) cluster.nodes() * rails() + management;
        boolean fitsOne = links <= ports();
        Tiers tiers = rule.tiers();
        if (tiers == Tiers.ONE || (tiers == Tiers.AUTO && fitsOne)) {
            if (!fitsOne) {
                throw tooMany("%,d links at one switch of %d".formatted(links, ports()));
            }
            return Sized.single(Seating.one(cluster.nodes(), rails(), management));
        }
        Seating seating = seating(management, tiers == Tiers.PAIR);
        int leaves = seating.leaves();
        int uplinks = uplinks(seating.most());
        if (tiers == Tiers.PAIR) {
            if (leaves != 2) {
                throw tooMany("%d leaves, where a pair has 2".formatted(leaves));
            }
            return Sized.pair(seating, uplinks);
        }
        if (leaves <= radices.spine() && tiers != Tiers.THREE) {
            return twoTiers(seating, uplinks);
        }
        if (tiers == Tiers.TWO) {
            throw tooMany("%,d leaves under spines of %d links".formatted(leaves, radices.spine()));
        }
        return threeTiers(seating, uplinks);
    }

    private Sized twoTiers(Seating seating, int uplinks) {
        int spines = Math.ceilDiv(seating.leaves() * uplinks, radices.spine());
        if (rule.spines() > 0) {
            if (rule.spines() < spines || rule.spines() > uplinks) {
                throw new PlanException(
                        "%d spines, where %d leaves have %d uplinks each: use %d to %d"
                                .formatted(
                                        rule.spines(), seating.leaves(), uplinks, spines, uplinks));
            }
            spines = rule.spines();
        }
        return Sized.twoTiers(seating, uplinks, spines);
    }

    private Sized threeTiers(Seating seating, int uplinks) {
        int leaves = seating.leaves();
        int downMax = downMax(radices.spine(), rule.spineOversubscription());
        int perPod = leavesPerPod(leaves, downMax, seating.group());
        int pods = Math.ceilDiv(leaves, perPod);
        int spines = Math.ceilDiv(perPod * uplinks, downMax);
        if (spines > uplinks) {
            throw new PlanException(
                    "%d leaves of a pod need %d spines, a leaf has %d uplinks: use at most %d"
                            .formatted(perPod, spines, uplinks, downMax));
        }
        int down = Math.ceilDiv(perPod * uplinks, spines);
        int up = share(down, rule.spineOversubscription());
        // Pods first: more of them would be too large a product.
        int groups = pods > radices.core() ? 0 : groups(pods, spines, up);
        if (groups == 0) {
            throw tooMany(
                    "%,d leaves in %d pods, where three tiers of these switches have room for %d"
                            .formatted(leaves, pods, radices.core()));
        }
        int cores = groups * coresOf(pods, spines / groups, up);
        return new Sized(seating, 3, uplinks, perPod, pods, spines, up, groups, cores);
    }

    private int leavesPerPod(int leaves, int downMax, int group) {
        if (rule.leavesPerPod() > 0) {
            return Math.min(leaves, rule.leavesPerPod());
        }
        // Whole groups of rails in a pod, unless then the cores have too few ports.
        int whole = downMax / group * group;
        int most = whole == 0 || Math.ceilDiv(leaves, whole) > radices.core() ? downMax : whole;
        int pods = Math.ceilDiv(leaves, most);
        int even = Math.ceilDiv(leaves, pods);
        return most == downMax && most != whole
                ? even
                : Math.min(most, Math.ceilDiv(even, group) * group);
    }

    /// The spines of a pod fall into as many groups as give the fewest cores, each with cores of
    /// its own; of those the most groups. 0 where none is possible.
    private int groups(int pods, int spines, int up) {
        int best = 0;
        int fewest = Integer.MAX_VALUE;
        for (int groups = 1; groups <= spines; groups++) {
            int cores = coresOf(pods, spines / groups, up);
            if (spines % groups == 0 && cores <= up && groups * cores <= fewest) {
                best = groups;
                fewest = groups * cores;
            }
        }
        return best;
    }

    private int coresOf(int pods, int spines, int up) {
        return Math.ceilDiv(pods * spines * up, radices.core());
    }

    private Seating seating(int management, boolean pair) {
        int most = mostAtLeaf();
        if (rule.hostsPerLeaf() > 0) {
            if (rule.hostsPerLeaf() > most) {
                throw new PlanException(
                        "%d hosts at a leaf of %d links: use at most %d"
                                .formatted(rule.hostsPerLeaf(), ports(), most));
            }
            most = rule.hostsPerLeaf();
        }
        return new Seater(cluster.nodes(), rails(), management, rule)
                .seat(most, pair, rule.layout() == Layout.NODES);
    }

    private int mostAtLeaf() {
        if (rule.uplinksPerLeaf() > 0) {
            int left = ports() - rule.uplinksPerLeaf();
            if (left < 1) {
                throw new PlanException(
                        "%d uplinks of a leaf with %d links: use fewer"
                                .formatted(rule.uplinksPerLeaf(), ports()));
            }
            return left;
        }
        int most = downMax(ports(), rule.oversubscription());
        if (most < 1) {
            throw new PlanException(
                    "a leaf of %d links has no room for a host and its uplinks: use a larger switch"
                            .formatted(ports()));
        }
        return most;
    }

    private int uplinks(int hosts) {
        return rule.uplinksPerLeaf() > 0
                ? rule.uplinksPerLeaf()
                : share(hosts, rule.oversubscription());
    }

    private static int share(int down, double ratio) {
        return (int) Math.ceil(down / ratio - ROUNDING);
    }

    /// The most links down that leave enough for the links up.
    static int downMax(int ports, double ratio) {
        int down = (int) Math.floor(ports * ratio / (1 + ratio) + ROUNDING) + 1;
        while (down > 0 && down + share(down, ratio) > ports) {
            down--;
        }
        return down;
    }

    private static PlanException tooMany(String what) {
        return new PlanException(
                what + ": use fewer nodes, larger switches or another number of tiers");
    }
}
