package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Any hosts, switches and cables, from which a topology is made; each switch sends what is not
/// there yet by all ports that lead nearer, whatever the shape.
///
/// ```
/// Wiring wiring = new Wiring("two in a row");
/// int left = wiring.addSwitch("left", 8);
/// int right = wiring.addSwitch("right", 8);
/// wiring.join(left, 7, right, 7);
/// wiring.addHost("a", left, 0);
/// wiring.addHost("b", right, 0);
/// Topology topology = wiring.topology();
/// ```
public final class Wiring {
    private static final int NODES_MAX = 1 << 20;
    private static final int PORTS_MAX = 1 << 15;
    private static final int FAR = Integer.MAX_VALUE;

    private record Switch(String name, int ports) {}

    private record Host(String name, int at, int port, CablePlan cable) {}

    private record Join(int one, int onePort, int other, int otherPort, CablePlan cable) {}

    private final String name;
    private final List<Switch> switches = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private final List<Join> joins = new ArrayList<>();

    /// By switch and port, whether something is plugged in.
    private final List<boolean[]> used = new ArrayList<>();

    private boolean isApart;

    public Wiring(String name) {
        this.name = name;
    }

    /// Parts of the network need not reach each other.
    Wiring mayBeApart() {
        isApart = true;
        return this;
    }

    /// Adds a switch with ports from 0, and returns its number.
    public int addSwitch(String called, int ports) {
        if (ports < 1 || ports >= PORTS_MAX || switches.size() == NODES_MAX) {
            throw new IllegalArgumentException(
                    "switch \"%s\" of %d ports: use 1 to %d, and at most %d switches"
                            .formatted(called, ports, PORTS_MAX - 1, NODES_MAX));
        }
        switches.add(new Switch(called, ports));
        used.add(new boolean[ports]);
        return switches.size() - 1;
    }

    /// Adds a host at a port of a switch, and returns its number.
    public int addHost(String called, int at, int port) {
        return addHost(called, at, port, CablePlan.USUAL);
    }

    /// Adds a host with a cable of its own kind, and returns its number.
    public int addHost(String called, int at, int port, CablePlan cable) {
        if (hosts.size() == NODES_MAX) {
            throw new IllegalArgumentException("at most %d hosts".formatted(NODES_MAX));
        }
        plug(at, port);
        hosts.add(new Host(called, at, port, cable));
        return hosts.size() - 1;
    }

    /// Puts a cable between two switches.
    public void join(int one, int onePort, int other, int otherPort) {
        join(one, onePort, other, otherPort, CablePlan.USUAL);
    }

    /// Puts a cable of its own kind between two switches.
    public void join(int one, int onePort, int other, int otherPort, CablePlan cable) {
        plug(one, onePort);
        plug(other, otherPort);
        joins.add(new Join(one, onePort, other, otherPort, cable));
    }

    private void plug(int at, int port) {
        if (at < 0 || at >= switches.size()) {
            throw new IllegalArgumentException("there is no switch number " + at);
        }
        Switch to = switches.get(at);
        if (port < 0 || port >= to.ports()) {
            throw new IllegalArgumentException(
                    "switch \"%s\" has ports 0 to %d, not %d"
                            .formatted(to.name(), to.ports() - 1, port));
        }
        if (used.get(at)[port]) {
            throw new IllegalArgumentException(
                    "port %d of switch \"%s\" has a cable already".formatted(port, to.name()));
        }
        used.get(at)[port] = true;
    }

    /// The topology of what was added.
    public Topology topology() {
        if (hosts.size() < 2) {
            throw new IllegalArgumentException(
                    name + " has " + hosts.size() + " hosts: a fabric has two at least");
        }
        int[] leafOf = new int[switches.size()];
        Arrays.fill(leafOf, -1);
        int leaves = 0;
        for (Host host : hosts) {
            if (leafOf[host.at()] < 0) {
                leafOf[host.at()] = leaves++;
            }
        }
        RoutingTable[] tables = tables(leafOf, leaves);
        Topology made = new Topology(name, hosts.size());
        for (int i = 0; i < switches.size(); i++) {
            Switch one = switches.get(i);
            made.addSwitch(new Topology.SwitchPlan(one.name(), one.ports(), leafOf[i], tables[i]));
        }
        for (int i = 0; i < hosts.size(); i++) {
            Host host = hosts.get(i);
            made.addHost(i, hosts.size() + host.at(), host.port());
            made.plan(host.cable());
            made.nameHost(i, host.name());
        }
        for (Join join : joins) {
            made.addCable(
                    hosts.size() + join.one(),
                    join.onePort(),
                    hosts.size() + join.other(),
                    join.otherPort());
            made.plan(join.cable());
        }
        return made;
    }

    /// For every switch, the ports that lead nearer to each leaf.
    private RoutingTable[] tables(int[] leafOf, int leaves) {
        int[][] neighbours = neighbours();
        short[][] groups = new short[switches.size()][leaves];
        List<Map<List<Short>, Short>> known = new ArrayList<>();
        for (int i = 0; i < switches.size(); i++) {
            known.add(new HashMap<>());
        }
        int[] distance = new int[switches.size()];
        int[] line = new int[switches.size()];
        for (int target = 0; target < switches.size(); target++) {
            int leaf = leafOf[target];
            if (leaf < 0) {
                continue;
            }
            measure(target, neighbours, distance, line);
            for (int i = 0; i < switches.size(); i++) {
                List<Short> nearer = nearer(neighbours[i], distance, i);
                if (nearer.isEmpty() && i != target && leafOf[i] >= 0 && !isApart) {
                    throw new IllegalArgumentException(
                            "no cable leads from switch \"%s\" to switch \"%s\""
                                    .formatted(
                                            switches.get(i).name(), switches.get(target).name()));
                }
                Map<List<Short>, Short> own = known.get(i);
                groups[i][leaf] = own.computeIfAbsent(nearer, _ -> (short) own.size());
            }
        }
        RoutingTable[] tables = new RoutingTable[switches.size()];
        for (int i = 0; i < tables.length; i++) {
            short[][] ports = new short[known.get(i).size()][];
            known.get(i).forEach((list, group) -> ports[group] = array(list));
            tables[i] = new RoutingTable(groups[i], ports);
        }
        return tables;
    }

    /// By switch and port, the switch at the other end, or -1.
    private int[][] neighbours() {
        int[][] neighbours = new int[switches.size()][];
        for (int i = 0; i < neighbours.length; i++) {
            neighbours[i] = new int[switches.get(i).ports()];
            Arrays.fill(neighbours[i], -1);
        }
        for (Join join : joins) {
            neighbours[join.one()][join.onePort()] = join.other();
            neighbours[join.other()][join.otherPort()] = join.one();
        }
        return neighbours;
    }

    /// How far every switch is from one, in cables.
    private static void measure(int from, int[][] neighbours, int[] distance, int[] line) {
        Arrays.fill(distance, FAR);
        distance[from] = 0;
        line[0] = from;
        int end = 1;
        for (int i = 0; i < end; i++) {
            int here = line[i];
            for (int next : neighbours[here]) {
                if (next >= 0 && distance[next] == FAR) {
                    distance[next] = distance[here] + 1;
                    line[end++] = next;
                }
            }
        }
    }

    private static List<Short> nearer(int[] neighbours, int[] distance, int here) {
        List<Short> ports = new ArrayList<>();
        for (int port = 0; port < neighbours.length; port++) {
            int next = neighbours[port];
            if (next >= 0 && distance[next] < distance[here]) {
                ports.add((short) port);
            }
        }
        return ports;
    }

    static short[] array(List<Short> ports) {
        short[] array = new short[ports.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = ports.get(i);
        }
        return array;
    }
}
