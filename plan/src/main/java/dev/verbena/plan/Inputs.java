package dev.verbena.plan;

import java.util.List;

/// What a plan is made for.
///
/// @param cluster what is to be connected
/// @param rate of a port of a NIC, in Gb/s
/// @param networks the kinds to compare
/// @param rule how switches are arranged
/// @param lengths of cables
/// @param choices switches that are asked for by name or by number of ports
/// @param team what the people who will run it know
/// @param needs what the network must have
public record Inputs(
        Cluster cluster,
        int rate,
        List<Network> networks,
        Rule rule,
        Lengths lengths,
        Choices choices,
        Team team,
        List<Need> needs) {
    private static final int NODES_MAX = 1 << 20;
    private static final int RADIX_MAX = 1022;
    private static final int RATE_MAX = 100_000;

    /// The GPUs and their nodes.
    ///
    /// @param portsPerNic each port is in a network of its own
    /// @param managementPorts links to managers of the network, such as UFM, at leaves
    /// @param nicsPerCage links that share a cage at the node
    public record Cluster(
            int gpus,
            int gpusPerNode,
            int nicsPerNode,
            int portsPerNic,
            int spareNodes,
            int managementPorts,
            int nicsPerCage) {

        /// Nodes with cables, spare ones too.
        public int nodes() {
            return Math.ceilDiv(gpus, gpusPerNode) + spareNodes;
        }

        Cluster withNodes(int nodes) {
            return new Cluster(
                    Math.max(1, nodes - spareNodes) * gpusPerNode,
                    gpusPerNode,
                    nicsPerNode,
                    portsPerNic,
                    spareNodes,
                    managementPorts,
                    nicsPerCage);
        }
    }

    /// How many tiers there are.
    public enum Tiers {
        /// The fewest that have room.
        AUTO,
        ONE,
        /// Two switches with cables between them, and no spine.
        PAIR,
        TWO,
        THREE
    }

    /// How switches are arranged; 0 where the plan decides.
    ///
    /// @param oversubscription hosts of a leaf for each of its uplinks, at most
    /// @param spineOversubscription the same of a spine below cores
    /// @param hostsPerLeaf full leaves have so many hosts, and only the last ones fewer
    /// @param railsPerLeaf rails that share a leaf
    /// @param reservedPorts ports of each leaf that stay free
    public record Rule(
            Layout layout,
            Tiers tiers,
            double oversubscription,
            double spineOversubscription,
            int hostsPerLeaf,
            int railsPerLeaf,
            int uplinksPerLeaf,
            int leavesPerPod,
            int spines,
            int reservedPorts) {}

    /// Lengths of cables, in metres.
    public record Lengths(double host, double spine, double core, boolean isAssumed) {}

    /// Switches by name, or by number of ports where that is not 0; a tier that has none of its own
    /// takes that of the tier below.
    public record Choices(
            List<String> switches,
            String spineSwitch,
            String coreSwitch,
            int radix,
            int spineRadix,
            int coreRadix) {}

    /// What the people who run the network know.
    public enum Team {
        UNKNOWN,
        NONE,
        IB,
        ETHERNET,
        BOTH
    }

    /// What a network must have.
    public enum Need {
        LOWEST_LATENCY,
        IN_NETWORK_REDUCTION,
        MANY_VENDORS,
        ONE_NETWORK_FOR_ALL,
        FEWEST_SETTINGS
    }

    /// Reads inputs, and refuses those that are unknown or out of range.
    public static Inputs of(Settings from) {
        Inputs inputs =
                new Inputs(
                        cluster(from),
                        from.number("rate", 400, 1, RATE_MAX),
                        from.choices("fabric", List.of(Network.values()), Network.class),
                        rule(from),
                        lengths(from),
                        choices(from),
                        from.choice("team", Team.UNKNOWN),
                        from.choices("needs", List.of(), Need.class));
        from.finish();
        return inputs;
    }

    private static Cluster cluster(Settings from) {
        int perNode = from.number("gpus-per-node", 8, 1, 64);
        int nodes = from.number("nodes", 0, 1, NODES_MAX);
        int gpus = from.number("gpus", nodes * perNode, 1, NODES_MAX * 8);
        if (gpus == 0) {
            throw new PlanException("how large? give gpus, or nodes; for example --gpus 512");
        }
        if (nodes > 0 && Math.ceilDiv(gpus, perNode) != nodes) {
            throw from.bad(
                    "nodes", "%,d nodes are not %,d GPUs; give one of both".formatted(nodes, gpus));
        }
        Cluster cluster =
                new Cluster(
                        gpus,
                        perNode,
                        from.number("nics-per-node", perNode, 1, 64),
                        from.number("ports-per-nic", 1, 1, 4),
                        from.number("spare-nodes", 0, 0, NODES_MAX),
                        from.number("management-ports", 0, 0, 64),
                        from.number("nics-per-cage", 1, 1, 2));
        if ((long) cluster.nodes() * cluster.nicsPerNode() > NODES_MAX) {
            throw new PlanException(
                    "%,d nodes of %d NICs: use at most %,d NICs"
                            .formatted(cluster.nodes(), cluster.nicsPerNode(), NODES_MAX));
        }
        return cluster;
    }

    private static Rule rule(Settings from) {
        return new Rule(
                from.choice("layout", Layout.RAILS),
                from.choice("tiers", Tiers.AUTO),
                from.decimal("oversubscription", 1, 0.1, 100),
                from.decimal("spine-oversubscription", 1, 0.1, 100),
                from.number("hosts-per-leaf", 0, 1, RADIX_MAX),
                from.number("rails-per-leaf", 0, 1, 64),
                from.number("uplinks-per-leaf", 0, 1, RADIX_MAX),
                from.number("leaves-per-pod", 0, 1, RADIX_MAX),
                from.number("spines", 0, 1, RADIX_MAX),
                from.number("reserved-ports", 0, 0, RADIX_MAX));
    }

    private static Lengths lengths(Settings from) {
        boolean isAssumed =
                !from.has("host-metres") || !from.has("spine-metres") || !from.has("core-metres");
        return new Lengths(
                from.decimal("host-metres", 3, 0.1, 10_000),
                from.decimal("spine-metres", 30, 0.1, 10_000),
                from.decimal("core-metres", 100, 0.1, 10_000),
                isAssumed);
    }

    private static Choices choices(Settings from) {
        return new Choices(
                from.words("switch", List.of()),
                from.word("spine-switch", ""),
                from.word("core-switch", ""),
                from.number("radix", 0, 2, RADIX_MAX),
                from.number("spine-radix", 0, 2, RADIX_MAX),
                from.number("core-radix", 0, 2, RADIX_MAX));
    }

    /// Which leaf each NIC is at, in words.
    public String layoutText() {
        return cluster.nicsPerNode() == 1 ? "one network" : rule.layout().meaning();
    }

    Inputs withNodes(int nodes) {
        return new Inputs(
                cluster.withNodes(nodes), rate, networks, rule, lengths, choices, team, needs);
    }
}
