package dev.verbena.fabric;

import java.util.Arrays;
import java.util.stream.IntStream;

/// One port of every switch for each host: what InfiniBand's forwarding tables hold.
///
/// Going up, a switch picks one of its equal ports by a digit of the destination, another digit at
/// each tier:
///
/// - at a leaf, the destination's position among the hosts of its own leaf;
/// - above, the position of the destination's leaf among the leaves of its pod, times the cables
///   between a leaf and an aggregation, plus the number of the cable that the first digit chose.
///
/// So hosts that follow each other take different uplinks at every tier. Going down, a packet takes
/// the cables by which the destination itself would go up with its own digits: on a tree without
/// oversubscription no two hosts share a cable down.
///
/// A switch's tier is its distance from the nearest switch with hosts. In a fabric that is no tree
/// the ports are still among the shortest ones; only the balance is lost.
final class FixedRoutes {
    /// No port leads to the host.
    static final int NOWHERE = -1;

    private final Topology topology;
    private final int hosts;

    /// By switch and port, the switch at the other end, or -1; and the port there.
    private final int[][] neighbours;

    private final int[][] farPorts;

    /// By switch.
    private final int[] tiers;

    /// By tier and host, the digit by which switches choose.
    private final int[][] digits;

    /// By tier and host, the switch through which packets go down to the host, or -1.
    private final int[][] above;

    /// By tier and host, its port down.
    private final short[][] down;

    FixedRoutes(Topology topology) {
        this.topology = topology;
        hosts = topology.hosts();
        int switches = topology.switches();
        neighbours = new int[switches][];
        farPorts = new int[switches][];
        for (int i = 0; i < switches; i++) {
            neighbours[i] = new int[topology.plan(hosts + i).ports()];
            farPorts[i] = new int[neighbours[i].length];
            Arrays.fill(neighbours[i], -1);
        }
        for (int i = 0; i < topology.cables(); i++) {
            int one = topology.cable(i, 0) - hosts;
            int other = topology.cable(i, 2) - hosts;
            if (one >= 0 && other >= 0) {
                plug(one, topology.cable(i, 1), other, topology.cable(i, 3));
                plug(other, topology.cable(i, 3), one, topology.cable(i, 1));
            }
        }
        tiers = tiers();
        int height = Arrays.stream(tiers).max().orElse(0) + 1;
        digits = new int[height][hosts];
        above = new int[height][hosts];
        down = new short[height][hosts];
        Step[][] steps = new Step[switches][];
        int[] seen = new int[switches];
        for (int host = 0; host < hosts; host++) {
            int leaf = topology.switchOf(host) - hosts;
            climb(host, leaf, seen[leaf]++, steps);
        }
    }

    private void plug(int one, int port, int other, int otherPort) {
        neighbours[one][port] = other;
        farPorts[one][port] = otherPort;
    }

    int tier(int at) {
        return tiers[at];
    }

    /// Ports of a switch.
    int ports(int at) {
        return neighbours[at].length;
    }

    /// The switch at the other end of a port, or -1.
    int neighbour(int at, int port) {
        return neighbours[at][port];
    }

    /// The port at the other end.
    int farPort(int at, int port) {
        return farPorts[at][port];
    }

    /// By switch, the distance from the nearest one with hosts.
    private int[] tiers() {
        int[] found = new int[neighbours.length];
        int[] line = new int[neighbours.length];
        boolean[] reached = new boolean[neighbours.length];
        int end = 0;
        for (int i = 0; i < found.length; i++) {
            if (topology.plan(hosts + i).leaf() >= 0) {
                reached[i] = true;
                line[end++] = i;
            }
        }
        for (int i = 0; i < end; i++) {
            for (int next : neighbours[line[i]]) {
                if (next >= 0 && !reached[next]) {
                    reached[next] = true;
                    found[next] = found[line[i]] + 1;
                    line[end++] = next;
                }
            }
        }
        return found;
    }

    /// One uplink of a switch.
    ///
    /// @param to the switch above
    /// @param farPort its port
    /// @param cable number of this cable among those that are parallel to it
    /// @param cables how many are parallel, with this one
    /// @param position of the switch below among those that the upper one has below it
    private record Step(int to, int farPort, int cable, int cables, int position) {}

    /// Follows a host's own digits to the top.
    private void climb(int host, int leaf, int position, Step[][] steps) {
        int at = leaf;
        int digit = position;
        above[0][host] = leaf;
        for (int tier = 0; tier < digits.length; tier++) {
            digits[tier][host] = digit;
            if (steps[at] == null) {
                steps[at] = steps(at);
            }
            if (tier + 1 == digits.length) {
                return;
            }
            if (steps[at].length == 0) {
                above[tier + 1][host] = -1;
                continue;
            }
            Step step = steps[at][digit % steps[at].length];
            digit = step.position() * step.cables() + step.cable();
            above[tier + 1][host] = step.to();
            down[tier + 1][host] = (short) step.farPort();
            at = step.to();
        }
    }

    /// The uplinks of a switch, by port.
    private Step[] steps(int from) {
        return IntStream.range(0, neighbours[from].length)
                .filter(port -> isUp(from, port))
                .mapToObj(port -> step(from, port))
                .toArray(Step[]::new);
    }

    private boolean isUp(int from, int port) {
        int to = neighbours[from][port];
        return to >= 0 && tiers[to] > tiers[from];
    }

    private Step step(int from, int port) {
        int to = neighbours[from][port];
        int cable = 0;
        int cables = 0;
        for (int i = 0; i < neighbours[from].length; i++) {
            if (neighbours[from][i] == to) {
                cable += i < port ? 1 : 0;
                cables++;
            }
        }
        int position =
                (int)
                        Arrays.stream(neighbours[to])
                                .filter(it -> it >= 0 && it < from && tiers[it] < tiers[to])
                                .distinct()
                                .count();
        return new Step(to, farPorts[from][port], cable, cables, position);
    }

    /// The port of a switch by which packets to a host leave, or [#NOWHERE].
    int port(int node, int host) {
        Topology.SwitchPlan plan = topology.plan(node);
        int leaf = topology.leafOf(host);
        if (plan.leaf() == leaf) {
            return topology.portOf(host);
        }
        int at = node - hosts;
        int tier = tiers[at];
        if (above[tier][host] == at) {
            return down[tier][host];
        }
        short[] equal = plan.table().toLeaf(leaf);
        if (equal.length == 0) {
            return NOWHERE;
        }
        int digit = isUp(at, equal[0]) ? digits[tier][host] : digits[0][host];
        return equal[digit % equal.length];
    }
}
