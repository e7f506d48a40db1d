package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;

/// Folded Clos networks of one to three tiers.
///
/// ```text
///              core 0 … c-1        core … groups * c - 1
///                 │  (the same cables to each pod)
///   pod:   aggregation 0  …  aggregation a       each to all cores of one group
///                 │  ╲    ╱  │
///            leaf 0   …   leaf l                 each to every aggregation of the pod
///             │ │ │        │ │ │
///             hosts          hosts
/// ```
///
/// A leaf's ports are its hosts, then its uplinks; an aggregation's are the leaves, then its
/// uplinks; a core's are the pods. Uplinks lead to the switches above in turn: the first cable to
/// each of them, then the second. A packet may take any uplink.
///
/// The last leaf may have fewer hosts than the others, and the last pod fewer leaves.
///
/// @param radix ports of every switch, or 0 for as many as have a cable
/// @param pod leaves and what connects them; a tree of two tiers is one pod
/// @param core what connects the pods
public record FatTree(int hosts, int radix, Pod pod, Core core) {
    private static final int PORTS_MAX = 1 << 15;

    /// The lower tiers.
    ///
    /// @param leaves leaves of a full pod
    /// @param aggregations aggregations of a pod, called spines if there is one pod
    /// @param cables cables between each leaf and each aggregation
    public record Pod(int hostsPerLeaf, int leaves, int aggregations, int cables) {
        int uplinks() {
            return aggregations * cables;
        }
    }

    /// The upper tier.
    ///
    /// @param groups groups of cores; aggregation `j` of a pod leads to group `j % groups`
    /// @param perGroup cores of a group
    /// @param cables cables between each core and each aggregation below it
    public record Core(int groups, int perGroup, int cables) {
        static final Core NONE = new Core(0, 0, 0);

        int count() {
            return groups * perGroup;
        }

        int uplinks() {
            return perGroup * cables;
        }
    }

    public FatTree {
        require("hosts", hosts, 1, Integer.MAX_VALUE);
        require("hosts per leaf", pod.hostsPerLeaf, 1, PORTS_MAX);
        require("leaves of a pod", pod.leaves, 1, PORTS_MAX);
        int leaves = Math.ceilDiv(hosts, pod.hostsPerLeaf);
        require("uplinks of a leaf", pod.uplinks(), leaves > 1 ? 1 : 0, PORTS_MAX);
        int pods = Math.ceilDiv(leaves, pod.leaves);
        require("uplinks of an aggregation", core.uplinks(), pods > 1 ? 1 : 0, PORTS_MAX);
        if (pods > 1 && (core.groups < 1 || pod.aggregations % core.groups != 0)) {
            throw new IllegalArgumentException(
                    "%d aggregations of a pod lead to %d groups of cores: use a divisor"
                            .formatted(pod.aggregations, core.groups));
        }
    }

    private static void require(String what, int value, int least, int limit) {
        if (value < least || value >= limit) {
            throw new IllegalArgumentException(
                    "%d %s: use %d to %d".formatted(value, what, least, limit - 1));
        }
    }

    /// One switch.
    public static FatTree single(int hosts) {
        return single(hosts, 0);
    }

    static FatTree single(int hosts, int radix) {
        return new FatTree(hosts, radix, new Pod(hosts, 1, 0, 0), Core.NONE);
    }

    /// Leaves and spines.
    public static FatTree twoTiers(int hostsPerLeaf, int leaves, int spines) {
        Pod pod = new Pod(hostsPerLeaf, leaves, spines, 1);
        return new FatTree(hostsPerLeaf * leaves, 0, pod, Core.NONE);
    }

    /// Three tiers without oversubscription: `half` hosts at a leaf, and as many leaves in a pod.
    public static FatTree threeTiers(int half, int pods) {
        Pod pod = new Pod(half, half, half, 1);
        return new FatTree(half * half * pods, 0, pod, new Core(half, half, 1));
    }

    /// The tree for exactly so many hosts that has the fewest switches.
    ///
    /// @param tiers 1, 2 or 3
    /// @param radix ports of every switch
    /// @param oversubscription hosts of a leaf for each of its uplinks, at most; 1 for full
    ///   bisection bandwidth
    public static FatTree ofRadix(int hosts, int tiers, int radix, double oversubscription) {
        return new TreeSearch(hosts, radix, oversubscription).find(tiers);
    }

    /// The same with the fewest tiers that have room for the hosts.
    public static FatTree ofRadix(int hosts, int radix, double oversubscription) {
        TreeSearch search = new TreeSearch(hosts, radix, oversubscription);
        return search.find(search.tiers());
    }

    int leafCount() {
        return Math.ceilDiv(hosts, pod.hostsPerLeaf);
    }

    int pods() {
        return Math.ceilDiv(leafCount(), pod.leaves);
    }

    /// Switches of all tiers.
    int switches() {
        return leafCount() + pods() * pod.aggregations + core.count();
    }

    int cables() {
        return hosts + leafCount() * pod.uplinks() + pods() * pod.aggregations * core.uplinks();
    }

    /// Whether every leaf has as many hosts as the others and every pod as many leaves.
    boolean isEven() {
        return hosts % (pod.hostsPerLeaf * (pods() > 1 ? pod.leaves : 1)) == 0;
    }

    /// Cables of a core to one pod.
    private int cablesToPod() {
        return core.groups == 0 ? 0 : pod.aggregations / core.groups * core.cables;
    }

    private int leafPorts() {
        return pod.hostsPerLeaf + pod.uplinks();
    }

    private int aggregationPorts() {
        return pod.leaves * pod.cables + core.uplinks();
    }

    private int corePorts() {
        return pods() * cablesToPod();
    }

    private int ports(int used) {
        if (radix > 0 && used > radix) {
            throw new IllegalArgumentException(
                    "%d cables at a switch of %d ports".formatted(used, radix));
        }
        return radix > 0 ? radix : used;
    }

    public Topology topology() {
        Topology topology = new Topology(toString(), hosts);
        int leafCount = leafCount();
        int[] leafNodes = new int[leafCount];
        RoutingTable up = leafTable(leafCount);
        for (int i = 0; i < leafCount; i++) {
            int ports = ports(leafPorts());
            leafNodes[i] = topology.addSwitch(new Topology.SwitchPlan("leaf " + i, ports, i, up));
            int first = i * pod.hostsPerLeaf;
            for (int h = 0; h < pod.hostsPerLeaf && first + h < hosts; h++) {
                topology.addHost(first + h, leafNodes[i], h);
            }
        }
        int[] aggregationNodes = addAggregations(topology, leafNodes);
        addCores(topology, aggregationNodes, leafCount);
        topology.describe(this::tiers);
        return topology;
    }

    private int[] addAggregations(Topology topology, int[] leafNodes) {
        int pods = pods();
        int[] nodes = new int[pod.aggregations * pods];
        for (int p = 0; p < pods; p++) {
            RoutingTable table = aggregationTable(p, leafNodes.length);
            for (int a = 0; a < pod.aggregations; a++) {
                String name = (pods > 1 ? "pod " + p + " aggregation " : "spine ") + a;
                int ports = ports(aggregationPorts());
                int node = topology.addSwitch(new Topology.SwitchPlan(name, ports, -1, table));
                nodes[p * pod.aggregations + a] = node;
                for (int l = 0; l < pod.leaves && p * pod.leaves + l < leafNodes.length; l++) {
                    int leaf = leafNodes[p * pod.leaves + l];
                    for (int c = 0; c < pod.cables; c++) {
                        int leafPort = pod.hostsPerLeaf + c * pod.aggregations + a;
                        topology.addCable(leaf, leafPort, node, l * pod.cables + c);
                    }
                }
            }
        }
        return nodes;
    }

    private void addCores(Topology topology, int[] aggregationNodes, int leafCount) {
        int pods = pods();
        if (pods == 1) {
            return;
        }
        RoutingTable table = coreTable(leafCount);
        int first = pod.leaves * pod.cables;
        for (int c = 0; c < core.count(); c++) {
            int ports = ports(corePorts());
            int node = topology.addSwitch(new Topology.SwitchPlan("core " + c, ports, -1, table));
            int port = 0;
            for (int p = 0; p < pods; p++) {
                for (int a = c / core.perGroup; a < pod.aggregations; a += core.groups) {
                    int below = aggregationNodes[p * pod.aggregations + a];
                    for (int k = 0; k < core.cables; k++) {
                        int uplink = k * core.perGroup + c % core.perGroup;
                        topology.addCable(below, first + uplink, node, port++);
                    }
                }
            }
        }
    }

    /// All leaves alike: a packet to a host elsewhere goes up.
    private RoutingTable leafTable(int leafCount) {
        return new RoutingTable(
                new short[leafCount], new short[][] {from(pod.hostsPerLeaf, pod.uplinks())});
    }

    private RoutingTable aggregationTable(int own, int leafCount) {
        int leaves = pod.leaves;
        short[] groups = new short[leafCount];
        short[][] ports = new short[leaves + 1][];
        for (int l = 0; l < leaves; l++) {
            ports[l] = from(l * pod.cables, pod.cables);
        }
        ports[leaves] = from(leaves * pod.cables, core.uplinks());
        for (int i = 0; i < leafCount; i++) {
            groups[i] = (short) (i / leaves == own ? i % leaves : leaves);
        }
        return new RoutingTable(groups, ports);
    }

    private RoutingTable coreTable(int leafCount) {
        int leaves = pod.leaves;
        short[] groups = new short[leafCount];
        short[][] ports = new short[pods()][];
        for (int p = 0; p < ports.length; p++) {
            ports[p] = from(p * cablesToPod(), cablesToPod());
        }
        for (int i = 0; i < leafCount; i++) {
            groups[i] = (short) (i / leaves);
        }
        return new RoutingTable(groups, ports);
    }

    private static short[] from(int first, int count) {
        short[] ports = new short[count];
        for (int i = 0; i < count; i++) {
            ports[i] = (short) (first + i);
        }
        return ports;
    }

    /// A line for each tier; none for a single switch.
    private List<String> tiers() {
        List<String> lines = new ArrayList<>();
        int leafCount = leafCount();
        int pods = pods();
        boolean isDeep = pods > 1;
        if (leafCount == 1) {
            return lines;
        }
        lines.add(
                "%,d leaves%s: %d hosts and %d uplinks each, %d to each %s; %s"
                        .formatted(
                                leafCount,
                                isDeep ? ", " + pod.leaves + " in a pod" : "",
                                pod.hostsPerLeaf,
                                pod.uplinks(),
                                pod.cables,
                                isDeep ? "aggregation" : "spine",
                                free(leafPorts())));
        int lastHosts = hosts - (leafCount - 1) * pod.hostsPerLeaf;
        if (lastHosts < pod.hostsPerLeaf) {
            lines.add("the last leaf has %d host%s".formatted(lastHosts, plural(lastHosts, "s")));
        }
        int lastLeaves = leafCount - (pods - 1) * pod.leaves;
        if (lastLeaves < pod.leaves) {
            lines.add(
                    "the last pod has %d lea%s"
                            .formatted(lastLeaves, lastLeaves == 1 ? "f" : "ves"));
        }
        if (isDeep) {
            lines.add(
                    ("%,d aggregations, %d in a pod: %d downlinks and %d uplinks each, "
                                    + "%d to each of %d core%s; %s")
                            .formatted(
                                    pods * pod.aggregations,
                                    pod.aggregations,
                                    pod.leaves * pod.cables,
                                    core.uplinks(),
                                    core.cables,
                                    core.perGroup,
                                    plural(core.perGroup, "s"),
                                    free(aggregationPorts())));
            lines.add(top("core", core.count(), corePorts()));
        } else {
            lines.add(top("spine", pod.aggregations, aggregationPorts()));
        }
        return lines;
    }

    private String top(String name, int count, int used) {
        return "%,d %s%s: %d downlinks each; %s"
                .formatted(count, name, plural(count, "s"), used, free(used));
    }

    private String free(int used) {
        return "%d of %d ports free".formatted(ports(used) - used, ports(used));
    }

    private static String plural(int count, String ending) {
        return count == 1 ? "" : ending;
    }

    @Override
    public String toString() {
        return pods() > 1
                ? "fat tree of 3 tiers"
                : leafCount() > 1 ? "fat tree of 2 tiers" : "single switch";
    }
}
