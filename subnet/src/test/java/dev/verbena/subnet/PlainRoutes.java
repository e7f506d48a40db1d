package dev.verbena.subnet;

import java.util.Arrays;

/// Route lengths by their definition: repeated until nothing changes, with none of the code under
/// test. Switches are numbered as nodes.
final class PlainRoutes {
    static final int FAR = 1 << 20;

    private final PlainPlane plane;
    private final int[] tiers;
    private final boolean ordersTies;

    private PlainRoutes(PlainPlane plane, int[] tiers, boolean ordersTies) {
        this.plane = plane;
        this.tiers = tiers;
        this.ordersTies = ordersTies;
    }

    /// Tiers from the switches with hosts.
    ///
    /// @param homes by host, the switch it is or was at; -1: none
    static PlainRoutes fromHosts(PlainPlane plane, int[] homes, boolean ordersTies) {
        int[] starts = Arrays.stream(homes).filter(it -> it >= 0).distinct().toArray();
        int[] tiers = distances(plane, starts);
        Arrays.setAll(tiers, i -> tiers[i] == FAR ? 0 : tiers[i]);
        return new PlainRoutes(plane, tiers, ordersTies);
    }

    /// Tiers from the switch whose farthest switch is nearest.
    static PlainRoutes fromMiddle(PlainPlane plane) {
        int best = -1;
        int least = FAR;
        boolean[] present = present(plane);
        for (int node = plane.hosts(); node < plane.nodes(); node++) {
            int most = 0;
            for (int distance : distances(plane, node)) {
                most = distance == FAR ? most : Math.max(most, distance);
            }
            if (present[node] && most < least) {
                least = most;
                best = node;
            }
        }
        int[] tiers = distances(plane, best);
        for (int node = 0; node < tiers.length; node++) {
            tiers[node] = tiers[node] == FAR ? 0 : least - tiers[node];
        }
        return new PlainRoutes(plane, tiers, true);
    }

    /// Distance of each switch from the nearest of some, over switches that the manager reaches.
    private static int[] distances(PlainPlane plane, int... starts) {
        boolean[] present = present(plane);
        int[] distance = new int[plane.nodes()];
        Arrays.fill(distance, FAR);
        for (int start : starts) {
            distance[start] = 0;
        }
        for (boolean hasChanged = true; hasChanged; ) {
            hasChanged = false;
            for (int node = plane.hosts(); node < plane.nodes(); node++) {
                for (int port = 1; port <= plane.ports(node); port++) {
                    int next = next(plane, node, port);
                    if (next >= 0 && present[node] && distance[next] + 1 < distance[node]) {
                        distance[node] = distance[next] + 1;
                        hasChanged = true;
                    }
                }
            }
        }
        return distance;
    }

    /// Whether the manager on host 0 reaches a node.
    static boolean[] present(PlainPlane plane) {
        boolean[] present = new boolean[plane.nodes()];
        present[0] = true;
        for (boolean hasChanged = true; hasChanged; ) {
            hasChanged = false;
            for (int node = 0; node < plane.nodes(); node++) {
                boolean passes = present[node] && (node == 0 || node >= plane.hosts());
                for (int port = 1; passes && port <= plane.ports(node); port++) {
                    int peer = plane.isPlugged(node, port) ? plane.peer(node, port) : -1;
                    if (peer >= 0 && !present[peer]) {
                        present[peer] = true;
                        hasChanged = true;
                    }
                }
            }
        }
        return present;
    }

    /// The switch behind a port of a switch, or -1.
    private static int next(PlainPlane plane, int node, int port) {
        int peer = plane.peer(node, port);
        boolean isSwitch = peer >= plane.hosts() && peer != node;
        return isSwitch && plane.isPlugged(node, port) ? peer : -1;
    }

    private boolean isAbove(int node, int other) {
        return tiers[node] > tiers[other]
                || (ordersTies && tiers[node] == tiers[other] && node > other);
    }

    boolean leadsUp(int node, int port) {
        int next = next(plane, node, port);
        return next >= 0 && isAbove(next, node);
    }

    /// Whether two neighbours are in one tier.
    boolean hasLinkWithinATier() {
        boolean[] present = present(plane);
        for (int node = plane.hosts(); node < plane.nodes(); node++) {
            for (int port = 1; port <= plane.ports(node); port++) {
                int next = next(plane, node, port);
                if (present[node] && next >= 0 && Math.abs(tiers[node] - tiers[next]) != 1) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Lengths of routes that go up and then down to a switch, by the switch they start at; of all
    /// routes if they are not restricted.
    ///
    /// @param mayTurn whether switches without such a route get one that turns
    int[] lengths(int destination, boolean isRestricted, boolean mayTurn) {
        int[] down = new int[plane.nodes()];
        Arrays.fill(down, FAR);
        down[destination] = 0;
        relax(down, (node, next) -> !isRestricted || isAbove(node, next), down);
        int[] all = down.clone();
        if (isRestricted) {
            relax(all, (node, next) -> isAbove(next, node), down);
            if (mayTurn) {
                int[] legal = all.clone();
                relax(all, (_, _) -> true, legal);
            }
        }
        return all;
    }

    private interface Step {
        boolean isOpen(int node, int next);
    }

    /// Lowers lengths until nothing changes, except where they are fixed already.
    private void relax(int[] lengths, Step step, int[] fixed) {
        int[] before = fixed.clone();
        for (boolean hasChanged = true; hasChanged; ) {
            hasChanged = false;
            for (int node = plane.hosts(); node < plane.nodes(); node++) {
                for (int port = 1; port <= plane.ports(node); port++) {
                    int next = next(plane, node, port);
                    if (next >= 0
                            && before[node] == FAR
                            && step.isOpen(node, next)
                            && lengths[next] + 1 < lengths[node]) {
                        lengths[node] = lengths[next] + 1;
                        hasChanged = true;
                    }
                }
            }
        }
    }
}
