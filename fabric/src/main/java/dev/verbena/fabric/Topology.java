package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Hosts, switches, and what connects them; made by [FatTree] and others like it.
///
/// Nodes are numbered: hosts from 0, then switches. A host has one port.
public final class Topology {
    private static final int PER_CABLE = 4;

    /// What is known of a switch before it is one.
    ///
    /// @param leaf its number among the switches that have hosts, or -1
    record SwitchPlan(String name, int ports, int leaf, RoutingTable table) {}

    private final String name;
    private final int hosts;
    private final List<SwitchPlan> switches = new ArrayList<>();
    private final int[] leafOf;
    private final short[] portOf;
    private final int[] switchOf;

    /// Of hosts that have a name of their own.
    private final Map<Integer, String> hostNames = new HashMap<>();

    /// Node, port, node, port.
    private int[] cables = new int[64 * PER_CABLE];

    private int cableCount;

    private List<String> description = List.of();
    private @Nullable FixedRoutes fixedRoutes;

    Topology(String name, int hosts) {
        this.name = name;
        this.hosts = hosts;
        leafOf = new int[hosts];
        portOf = new short[hosts];
        switchOf = new int[hosts];
    }

    /// Adds a switch and returns its number as a node.
    int addSwitch(SwitchPlan plan) {
        switches.add(plan);
        return hosts + switches.size() - 1;
    }

    void addHost(int host, int node, int port) {
        leafOf[host] = plan(node).leaf();
        portOf[host] = (short) port;
        switchOf[host] = node;
        addCable(host, 0, node, port);
    }

    void nameHost(int host, String called) {
        if (!called.equals("host " + host)) {
            hostNames.put(host, called);
        }
    }

    /// What a host is called.
    public String hostName(int host) {
        return hostNames.getOrDefault(host, "host " + host);
    }

    void addCable(int node, int port, int otherNode, int otherPort) {
        int at = cableCount * PER_CABLE;
        if (at == cables.length) {
            cables = Arrays.copyOf(cables, at * 2);
        }
        cables[at] = node;
        cables[at + 1] = port;
        cables[at + 2] = otherNode;
        cables[at + 3] = otherPort;
        cableCount++;
    }

    public int hosts() {
        return hosts;
    }

    public int switches() {
        return switches.size();
    }

    public int cables() {
        return cableCount;
    }

    int cable(int index, int part) {
        return cables[index * PER_CABLE + part];
    }

    SwitchPlan plan(int node) {
        return switches.get(node - hosts);
    }

    SwitchPlace place(int node) {
        return new SwitchPlace(this, node, leafOf, portOf);
    }

    /// The leaf that a host is at.
    int leafOf(int host) {
        return leafOf[host];
    }

    /// The port of its leaf that a host is at.
    int portOf(int host) {
        return portOf[host];
    }

    /// The switch that a host is at, as a node.
    int switchOf(int host) {
        return switchOf[host];
    }

    /// Made when they are first asked for, and only for fabrics that have such routes.
    FixedRoutes fixedRoutes() {
        if (fixedRoutes == null) {
            fixedRoutes = new FixedRoutes(this);
        }
        return fixedRoutes;
    }

    /// Ports of switches without a cable.
    public int freePorts() {
        int free = hosts - 2 * cableCount;
        for (SwitchPlan plan : switches) {
            free += plan.ports();
        }
        return free;
    }

    void describe(List<String> lines) {
        description = List.copyOf(lines);
    }

    /// A line for each tier, or none where there are no tiers.
    public List<String> description() {
        return description;
    }

    @Override
    public String toString() {
        int free = freePorts();
        return "%s: %,d hosts, %,d %s, %,d cables, %,d free %s"
                .formatted(
                        name,
                        hosts,
                        switches.size(),
                        switches.size() == 1 ? "switch" : "switches",
                        cableCount,
                        free,
                        free == 1 ? "port" : "ports");
    }
}
