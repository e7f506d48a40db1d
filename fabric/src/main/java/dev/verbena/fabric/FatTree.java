package dev.verbena.fabric;

/// Folded Clos networks of one to three tiers.
///
/// ```text
///              core 0 … uplinks-1      core … aggregations * uplinks - 1
///                 │  (one port for each pod)
///   pod:   aggregation 0  …  aggregation a       each to `uplinks` cores of its own
///                 │  ╲    ╱  │
///            leaf 0   …   leaf l                 each to every aggregation of the pod
///             │ │ │        │ │ │
///             hosts          hosts
/// ```
///
/// A leaf's ports are its hosts, then the aggregations; an aggregation's are the leaves, then the
/// cores; a core's are the pods. What goes up may take any port that does.
///
/// @param hostsPerLeaf hosts below a leaf
/// @param leaves leaves of a pod
/// @param aggregations aggregations of a pod; as many as hosts per leaf for full bandwidth
/// @param uplinks cores above an aggregation; as many as leaves for full bandwidth
public record FatTree(int hostsPerLeaf, int leaves, int aggregations, int uplinks, int pods) {
    private static final int PORTS_MAX = 1 << 15;

    public FatTree {
        require("hosts per leaf", hostsPerLeaf, 1);
        require("leaves of a pod", leaves, 1);
        require("aggregations of a pod", aggregations, leaves * pods > 1 ? 1 : 0);
        require("uplinks of an aggregation", uplinks, pods > 1 ? 1 : 0);
        require("pods", pods, 1);
    }

    private static void require(String what, int value, int least) {
        if (value < least || value >= PORTS_MAX) {
            throw new IllegalArgumentException(
                    "%d %s: use %d to %d".formatted(value, what, least, PORTS_MAX - 1));
        }
    }

    /// One switch.
    public static FatTree single(int hosts) {
        return new FatTree(hosts, 1, 0, 0, 1);
    }

    /// Leaves and spines.
    public static FatTree twoTiers(int hostsPerLeaf, int leaves, int spines) {
        return new FatTree(hostsPerLeaf, leaves, spines, 0, 1);
    }

    /// Three tiers without oversubscription: `half` hosts at a leaf, and as many leaves in a pod.
    public static FatTree threeTiers(int half, int pods) {
        return new FatTree(half, half, half, half, pods);
    }

    /// The tree of so many tiers, of switches with so many ports, that has room for so many hosts.
    ///
    /// @param oversubscription how many hosts of a leaf share one of its ways up
    public static FatTree ofRadix(int hosts, int tiers, int radix, double oversubscription) {
        if (radix < 2 || oversubscription <= 0) {
            throw new IllegalArgumentException(
                    "switches of %d ports, %s hosts for each way up"
                            .formatted(radix, oversubscription));
        }
        int up = Math.max(1, (int) Math.round(radix / (1 + oversubscription)));
        int down = radix - up;
        int half = radix / 2;
        int capacity =
                switch (tiers) {
                    case 1 -> radix;
                    case 2 -> down * radix;
                    case 3 -> down * half * radix;
                    default -> throw new IllegalArgumentException(tiers + " tiers: use 1, 2 or 3");
                };
        if (hosts < 2 || hosts > capacity) {
            throw new IllegalArgumentException(
                    "%,d hosts: %d tiers of %d-port switches have room for 2 to %,d"
                            .formatted(hosts, tiers, radix, capacity));
        }
        return switch (tiers) {
            case 1 -> single(hosts);
            case 2 -> twoTiers(down, Math.ceilDiv(hosts, down), up);
            default -> new FatTree(down, half, up, half, Math.ceilDiv(hosts, down * half));
        };
    }

    public int hosts() {
        return hostsPerLeaf * leaves * pods;
    }

    public Topology topology() {
        Topology topology = new Topology(toString(), hosts());
        int leafCount = leaves * pods;
        int[] leafNodes = new int[leafCount];
        RoutingTable up = leafTable(leafCount);
        for (int i = 0; i < leafCount; i++) {
            String name = "leaf " + i;
            int ports = hostsPerLeaf + aggregations;
            leafNodes[i] = topology.addSwitch(new Topology.SwitchPlan(name, ports, i, up));
            for (int h = 0; h < hostsPerLeaf; h++) {
                topology.addHost(i * hostsPerLeaf + h, leafNodes[i], h);
            }
        }
        int[] aggregationNodes = addAggregations(topology, leafNodes);
        addCores(topology, aggregationNodes, leafCount);
        return topology;
    }

    private int[] addAggregations(Topology topology, int[] leafNodes) {
        int[] nodes = new int[aggregations * pods];
        for (int pod = 0; pod < pods; pod++) {
            RoutingTable table = aggregationTable(pod, leafNodes.length);
            for (int a = 0; a < aggregations; a++) {
                String name = (pods > 1 ? "pod " + pod + " aggregation " : "spine ") + a;
                int ports = leaves + uplinks;
                int node = topology.addSwitch(new Topology.SwitchPlan(name, ports, -1, table));
                nodes[pod * aggregations + a] = node;
                for (int l = 0; l < leaves; l++) {
                    topology.addCable(leafNodes[pod * leaves + l], hostsPerLeaf + a, node, l);
                }
            }
        }
        return nodes;
    }

    private void addCores(Topology topology, int[] aggregationNodes, int leafCount) {
        if (pods == 1) {
            return;
        }
        RoutingTable table = coreTable(leafCount);
        for (int c = 0; c < aggregations * uplinks; c++) {
            String name = "core " + c;
            int node = topology.addSwitch(new Topology.SwitchPlan(name, pods, -1, table));
            for (int pod = 0; pod < pods; pod++) {
                int below = aggregationNodes[pod * aggregations + c / uplinks];
                topology.addCable(below, leaves + c % uplinks, node, pod);
            }
        }
    }

    /// All leaves alike: whatever is not at the leaf itself goes up.
    private RoutingTable leafTable(int leafCount) {
        return new RoutingTable(
                new short[leafCount], new short[][] {from(hostsPerLeaf, aggregations)});
    }

    private RoutingTable aggregationTable(int pod, int leafCount) {
        short[] groups = new short[leafCount];
        short[][] ports = new short[leaves + 1][];
        for (int l = 0; l < leaves; l++) {
            ports[l] = new short[] {(short) l};
        }
        ports[leaves] = from(leaves, uplinks);
        for (int i = 0; i < leafCount; i++) {
            groups[i] = (short) (i / leaves == pod ? i % leaves : leaves);
        }
        return new RoutingTable(groups, ports);
    }

    private RoutingTable coreTable(int leafCount) {
        short[] groups = new short[leafCount];
        short[][] ports = new short[pods][];
        for (int pod = 0; pod < pods; pod++) {
            ports[pod] = new short[] {(short) pod};
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

    @Override
    public String toString() {
        return pods > 1
                ? "fat tree of 3 tiers"
                : leaves > 1 ? "fat tree of 2 tiers" : "single switch";
    }
}
