package dev.verbena.plan;

/// A plane of a plan: one network that is connected in itself.
///
/// @param seating which hosts are at which leaf
/// @param tiers 1, 2 or 3; a pair of switches has one
/// @param uplinks of each leaf
/// @param leavesPerPod leaves of a full pod
/// @param pods 1 below three tiers
/// @param spines of each pod
/// @param spineUplinks of each spine
/// @param groups groups of cores; spine `j` of each pod leads to group `j % groups`
public record Sized(
        Seating seating,
        int tiers,
        int uplinks,
        int leavesPerPod,
        int pods,
        int spines,
        int spineUplinks,
        int groups,
        int cores) {

    static Sized single(Seating seating) {
        return new Sized(seating, 1, 0, 1, 1, 0, 0, 0, 0);
    }

    static Sized pair(Seating seating, int uplinks) {
        return new Sized(seating, 1, uplinks, 2, 1, 0, 0, 0, 0);
    }

    static Sized twoTiers(Seating seating, int uplinks, int spines) {
        return new Sized(seating, 2, uplinks, seating.leaves(), 1, spines, 0, 0, 0);
    }

    public boolean isPair() {
        return tiers == 1 && uplinks > 0;
    }

    public int leaves() {
        return seating.leaves();
    }

    /// Of all pods.
    public int spinesInAll() {
        return pods * spines;
    }

    public int switches() {
        return leaves() + spinesInAll() + cores;
    }

    /// Links of NICs.
    public int hosts() {
        return seating.nodeLinks();
    }

    public int managementLinks() {
        return seating.managementLinks();
    }

    /// Links between leaves and spines, or between the two switches of a pair.
    public int leafCables() {
        return isPair() ? uplinks : leaves() * uplinks;
    }

    public int coreCables() {
        return spinesInAll() * spineUplinks;
    }

    public int cables() {
        return hosts() + managementLinks() + leafCables() + coreCables();
    }

    /// Hosts of the fullest leaf for each of its uplinks; 0 without uplinks.
    public double leafRatio() {
        return uplinks == 0 ? 0 : (double) seating.most() / uplinks;
    }

    /// Links down of the fullest spine for each of its links up; 0 below three tiers.
    public double spineRatio() {
        return spineUplinks == 0 ? 0 : (double) spineDown() / spineUplinks;
    }

    int spineDown() {
        return Math.ceilDiv(leavesPerPod * uplinks, spines);
    }

    /// Cores of each group.
    int coresPerGroup() {
        return groups == 0 ? 0 : cores / groups;
    }

    /// Whether all leaves have equally many cables to each spine.
    public boolean isEven() {
        return (spines == 0 || uplinks % spines == 0)
                && (groups == 0 || spineUplinks % coresPerGroup() == 0);
    }

    /// Links that leave one half of the hosts for the other, each in its direction.
    public double bisectionLinks() {
        double half = (hosts() + managementLinks()) / 2.0;
        if (isPair()) {
            return Math.min(half, uplinks);
        }
        if (tiers > 1) {
            half = Math.min(half, leafCables() / 2.0);
        }
        return tiers > 2 ? Math.min(half, coreCables() / 2.0) : half;
    }

    /// The most switches between two hosts.
    public int farthest() {
        return isPair() ? 2 : 2 * tiers - 1;
    }
}
