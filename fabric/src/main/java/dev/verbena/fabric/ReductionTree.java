package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The switches that reduce for a group: of a [SwitchTree] the branches with members, below the
/// lowest switch that has all of them below it.
final class ReductionTree {
    /// A switch of the tree.
    static final class Place {
        private final int at;
        private final int portUp;
        private final int parent;
        private final int portDown;
        private final int[] children;

        /// @param parent its switch, and `portDown` the port there
        Place(int at, int portUp, int parent, int portDown, int[] children) {
            this.at = at;
            this.portUp = portUp;
            this.parent = parent;
            this.portDown = portDown;
            this.children = children;
        }

        /// Its number among the switches.
        int at() {
            return at;
        }

        /// The port to its parent, or -1 at the root.
        int portUp() {
            return portUp;
        }

        boolean isRoot() {
            return portUp < 0;
        }

        /// The ports to hosts and switches below, in ascending order; only to be read.
        int[] children() {
            return children;
        }
    }

    private final Topology topology;
    private final List<Place> places = new ArrayList<>();
    private final Map<Integer, Place> bySwitch = new HashMap<>();
    private int height;
    private boolean isComplete;

    /// @param number chooses the root of the whole tree
    ReductionTree(Topology topology, int number, int[] hosts) {
        this.topology = topology;
        SwitchTree tree = new SwitchTree(topology, number);
        int[] below = new int[topology.switches()];
        int[][] ports = new int[topology.switches()][0];
        for (int host : hosts) {
            int at = topology.switchOf(host) - topology.hosts();
            below[at]++;
            add(ports, at, topology.portOf(host));
        }
        int[] heights = new int[topology.switches()];
        for (int i = tree.count() - 1; i >= 0 && !isComplete; i--) {
            int at = tree.at(i);
            isComplete = below[at] == hosts.length;
            if (below[at] == 0) {
                continue;
            }
            heights[at]++;
            height = Math.max(height, heights[at]);
            Arrays.sort(ports[at]);
            Place place =
                    isComplete
                            ? new Place(at, -1, -1, -1, ports[at])
                            : new Place(
                                    at,
                                    tree.portUp(at),
                                    tree.parent(at),
                                    tree.portDown(at),
                                    ports[at]);
            places.add(place);
            bySwitch.put(at, place);
            if (!isComplete) {
                int parent = tree.parent(at);
                below[parent] += below[at];
                heights[parent] = Math.max(heights[parent], heights[at]);
                add(ports, parent, tree.portDown(at));
            }
        }
    }

    /// Whether cables join all hosts.
    boolean isComplete() {
        return isComplete;
    }

    private static void add(int[][] ports, int at, int port) {
        ports[at] = Arrays.copyOf(ports[at], ports[at].length + 1);
        ports[at][ports[at].length - 1] = port;
    }

    /// Children before their parents.
    List<Place> places() {
        return places;
    }

    /// Whether a host's part of a packet has not arrived where it is to be combined; where it waits
    /// for those of others, they are missing.
    boolean lacks(int host, long sequence, ReductionGroup group) {
        int port = topology.portOf(host);
        Place place = bySwitch.get(topology.switchOf(host) - topology.hosts());
        while (place != null) {
            ReducerSlots slots = group.slots(place.at);
            if (slots == null || slots.lacks(sequence, port)) {
                return true;
            }
            if (slots.waits(sequence)) {
                return false;
            }
            port = place.portDown;
            place = bySwitch.get(place.parent);
        }
        return false;
    }

    /// Whether a host's packets come to a switch at a port.
    boolean isBelow(int host, int at, int atPort) {
        int port = topology.portOf(host);
        Place place = bySwitch.get(topology.switchOf(host) - topology.hosts());
        while (place != null) {
            if (place.at == at) {
                return port == atPort;
            }
            port = place.portDown;
            place = bySwitch.get(place.parent);
        }
        return false;
    }

    /// Switches between a host and the root, with it.
    int height() {
        return height;
    }

    int childrenMax() {
        return places.stream().mapToInt(it -> it.children().length).max().orElse(0);
    }

    @Override
    public String toString() {
        return "a tree of %,d %s in %d %s, with up to %,d children"
                .formatted(
                        places.size(),
                        places.size() == 1 ? "switch" : "switches",
                        height,
                        height == 1 ? "tier" : "tiers",
                        childrenMax());
    }
}
