package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Hosts, switches, and what connects them; made by [FatTree] and others like it.
///
/// Nodes are numbered: hosts from 0, then switches. A host has one port.
public final class Topology {
    private static final int PER_CABLE = 4;

    /// What is known of a switch before it is one.
    ///
    /// @param leaf its number among the switches that have hosts, or -1
    /// @param isInner whether it joins the ranks of a host, see [InnerNetwork]
    record SwitchPlan(String name, int ports, int leaf, RoutingTable table, boolean isInner) {
        SwitchPlan(String name, int ports, int leaf, RoutingTable table) {
            this(name, ports, leaf, table, false);
        }
    }

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

    /// By cable, what it has of its own; cables beyond the end have nothing.
    private CablePlan[] plans = new CablePlan[0];

    private Supplier<List<String>> description = List::of;
    private @Nullable FixedRoutes fixedRoutes;

    /// Of a shape with cycles, null in trees.
    private @Nullable LaneRule lanes;

    Topology(String name, int hosts) {
        this.name = name;
        this.hosts = hosts;
        leafOf = new int[hosts];
        portOf = new short[hosts];
        switchOf = new int[hosts];
    }

    /// A copy with room for more hosts, which get the numbers behind its own.
    Topology(Topology from, int hosts) {
        this(from.name, hosts);
        int more = hosts - from.hosts;
        switches.addAll(from.switches);
        hostNames.putAll(from.hostNames);
        description = from.description;
        lanes = from.lanes;
        for (int host = 0; host < from.hosts; host++) {
            leafOf[host] = from.leafOf[host];
            portOf[host] = from.portOf[host];
            switchOf[host] = from.switchOf[host] + more;
        }
        for (int i = 0; i < from.cableCount; i++) {
            int node = from.cable(i, 0);
            int other = from.cable(i, 2);
            addCable(
                    node < from.hosts ? node : node + more,
                    from.cable(i, 1),
                    other < from.hosts ? other : other + more,
                    from.cable(i, 3));
            plan(from.cablePlan(i));
        }
    }

    /// A copy with other plans of cables.
    private Topology(Topology from, CablePlan[] plans) {
        name = from.name;
        hosts = from.hosts;
        switches.addAll(from.switches);
        leafOf = from.leafOf;
        portOf = from.portOf;
        switchOf = from.switchOf;
        hostNames.putAll(from.hostNames);
        cables = from.cables;
        cableCount = from.cableCount;
        description = from.description;
        lanes = from.lanes;
        this.plans = plans;
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

    /// The same with dashes for blanks.
    String hostText(int host) {
        return hostName(host).replace(' ', '-');
    }

    /// The number of the host with this name, with blanks or with dashes; -1 if there is none.
    int host(String called) {
        for (int host = 0; host < hosts; host++) {
            if (isCalled(host, called)) {
                return host;
            }
        }
        return -1;
    }

    /// Says in which lanes packets go, so that none of them waits in a circle.
    void lanes(LaneRule rule) {
        lanes = rule;
    }

    @Nullable LaneRule lanes() {
        return lanes;
    }

    /// Whether packets change lanes on their way: lanes 4 to 7 are those of classes 0 to 3 then.
    public boolean changesLanes() {
        return lanes != null;
    }

    /// The same fabric without changes of lanes, in which packets may wait in a circle.
    public Topology inOneLane() {
        Topology copy = new Topology(this, plans);
        copy.lanes = null;
        return copy;
    }

    /// Whether a node has this name, or has it with blanks instead of dashes.
    boolean isCalled(int node, String called) {
        String known = node < hosts ? hostName(node) : plan(node).name();
        return known.equals(called) || known.replace(' ', '-').equals(called);
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

    /// Says what the cable that was added last has of its own.
    void plan(CablePlan plan) {
        if (plan.equals(CablePlan.USUAL)) {
            return;
        }
        int known = plans.length;
        if (cableCount > known) {
            plans = Arrays.copyOf(plans, Math.max(cableCount, 2 * known));
            Arrays.fill(plans, known, plans.length, CablePlan.USUAL);
        }
        plans[cableCount - 1] = plan;
    }

    /// What a cable has of its own.
    public CablePlan cablePlan(int index) {
        return index < plans.length ? plans[index] : CablePlan.USUAL;
    }

    /// Whether a cable is between two switches.
    public boolean isUplink(int cable) {
        return Math.min(cable(cable, 0), cable(cable, 2)) >= hosts;
    }

    /// The same fabric with other cables between its switches.
    public Topology withUplinks(CablePlan plan) {
        CablePlan[] changed = new CablePlan[cableCount];
        Arrays.setAll(changed, i -> isUplink(i) ? plan : cablePlan(i));
        return new Topology(this, changed);
    }

    /// How many cables there are of each rate, the fastest first.
    ///
    /// @param usual the cable of the settings
    public Map<Rate, Integer> rates(Cable usual) {
        Map<Rate, Integer> found =
                new TreeMap<>(Comparator.comparingLong(Rate::bitsPerSecond).reversed());
        for (int i = 0; i < cableCount; i++) {
            found.merge(cablePlan(i).over(usual).rate(), 1, Integer::sum);
        }
        return found;
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

    /// Switches that have hosts.
    int leaves() {
        int most = -1;
        for (SwitchPlan plan : switches) {
            most = Math.max(most, plan.leaf());
        }
        return most + 1;
    }

    /// Whether a host is the port of a rank within its host, see [InnerNetwork].
    public boolean isInner(int host) {
        return plan(switchOf[host]).isInner();
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

    /// @param lines makes the lines; few who build a topology read them
    void describe(Supplier<List<String>> lines) {
        description = lines;
    }

    /// A line for each tier, or none where there are no tiers.
    public List<String> description() {
        return List.copyOf(description.get());
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
