package dev.verbena.subnet;

import dev.verbena.fabric.manage.Subnet;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntBinaryOperator;

/// Walks the tables of a network as packets would, and looks at the network as it is, without the
/// code under test.
final class Walk {
    private static final int HOPS_MAX = 64;
    private static final int LANE_BITS = 4;

    private final PlainPlane plane;
    private final Subnet subnet;

    Walk(Lab lab) {
        this(lab.plane, lab.subnet);
    }

    Walk(PlainPlane plane, Subnet subnet) {
        this.plane = plane;
        this.subnet = subnet;
    }

    /// Links between switches on the route from a host to a node; -1 if packets do not arrive.
    int hops(int from, int to) {
        return hops(from, to, new int[HOPS_MAX + 2]);
    }

    /// The same, with the ports by which the packet leaves, each as node times 256 plus port.
    int hops(int from, int to, int[] route) {
        return hops(from, subnet.lid(to), to, route);
    }

    /// The same by one of the LIDs of the node.
    int hops(int from, int lid, int to, int[] route) {
        int node = from;
        int steps = 0;
        while (node != to) {
            int out = node < plane.hosts() ? 1 : subnet.forwardingPort(node, lid);
            boolean isOpen =
                    steps <= HOPS_MAX
                            && (node == from || node >= plane.hosts())
                            && out > 0
                            && out <= plane.ports(node)
                            && plane.isPlugged(node, out)
                            && subnet.portState(node, out) == 4
                            && subnet.portState(plane.peer(node, out), plane.peerPort(node, out))
                                    == 4;
            if (!isOpen || lid == 0) {
                return -1;
            }
            route[steps++] = node << 8 | out;
            node = plane.peer(node, out);
        }
        int hostEnds = (from < plane.hosts() ? 1 : 0) + (to < plane.hosts() ? 1 : 0);
        return Math.max(0, steps - hostEnds);
    }

    /// Distance of all nodes from a node over cables that are plugged in; hosts pass nothing on.
    int[] distances(int from) {
        int[] distance = new int[plane.nodes()];
        Arrays.fill(distance, -1);
        distance[from] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(from);
        while (!queue.isEmpty()) {
            int at = queue.remove();
            for (int port = 1; port <= plane.ports(at); port++) {
                int next = plane.peer(at, port);
                boolean isWay = at == from || at >= plane.hosts();
                if (isWay && plane.isPlugged(at, port) && distance[next] < 0) {
                    distance[next] = distance[at] + 1;
                    queue.add(next);
                }
            }
        }
        return distance;
    }

    /// Whether packets between hosts can wait for each other in a circle.
    boolean hasCreditLoop() {
        return hasCreditLoop((_, _) -> 0);
    }

    /// The same in lanes, where links have such.
    ///
    /// @param levels by node and node, the service level of packets between them; below 0: there
    ///   are none
    boolean hasCreditLoop(IntBinaryOperator levels) {
        Set<Long> dependencies = new HashSet<>();
        int channels = plane.nodes() << (8 + LANE_BITS);
        int[] route = new int[HOPS_MAX + 2];
        for (int from = 0; from < plane.hosts(); from++) {
            for (int to = 0; to < plane.hosts(); to++) {
                Arrays.fill(route, -1);
                int level = from == to ? -1 : levels.applyAsInt(from, to);
                if (level >= 0 && hops(from, to, route) >= 0) {
                    for (int i = 1; route[i] >= 0; i++) {
                        long first = channel(route, i - 1, level);
                        dependencies.add(first * channels + channel(route, i, level));
                    }
                }
            }
        }
        return !isEmptyWithoutSources(dependencies, channels);
    }

    /// A port and the lane in which a packet leaves it.
    private int channel(int[] route, int hop, int level) {
        int node = route[hop] >> 8;
        int out = route[hop] & 0xFF;
        int in = hop == 0 ? 0 : plane.peerPort(route[hop - 1] >> 8, route[hop - 1] & 0xFF);
        return route[hop] << LANE_BITS | plane.lane(node, in, out, level);
    }

    /// Takes away channels on which none waits, again and again; what is left is a circle.
    private static boolean isEmptyWithoutSources(Set<Long> dependencies, int channels) {
        int[] waiting = new int[channels];
        int[][] next = new int[channels][];
        int[] sizes = new int[channels];
        dependencies.forEach(it -> sizes[(int) (it / channels)]++);
        for (long dependency : dependencies) {
            int from = (int) (dependency / channels);
            int to = (int) (dependency % channels);
            if (next[from] == null) {
                next[from] = new int[sizes[from]];
            }
            next[from][--sizes[from]] = to;
            waiting[to]++;
        }
        ArrayDeque<Integer> free = new ArrayDeque<>();
        for (int i = 0; i < channels; i++) {
            if (waiting[i] == 0) {
                free.add(i);
            }
        }
        int left = dependencies.size();
        while (!free.isEmpty()) {
            int[] behind = next[free.remove()];
            for (int to : behind == null ? new int[0] : behind) {
                left--;
                if (--waiting[to] == 0) {
                    free.add(to);
                }
            }
        }
        return left == 0;
    }
}
