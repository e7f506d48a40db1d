package dev.verbena.fabric;

/// Networks within hosts, each of which joins the ranks of one host, as links between GPUs do.
///
/// ```text
///   host 0                               host 1
///    gpu 0  gpu 1  gpu 2  gpu 3           gpu 0  gpu 1  gpu 2  gpu 3
///      │      │      │      │               │      │      │      │
///   [──────── inside 0 ───────]          [──────── inside 1 ───────]
/// ```
///
/// They are apart from each other and from the fabric around them. A rank has a port of the given
/// rate in each direction; what joins them never holds a packet back. So two ranks that send to one
/// share its port, and all other pairs do not notice each other.
///
/// @param hosts hosts that have one
/// @param ranks ranks of each host
/// @param rate of a rank's port, in each direction
/// @param latencyPs from the first bit at one rank to the first bit at another
public record InnerNetwork(int hosts, int ranks, Rate rate, long latencyPs) {
    private static final int RANKS_MAX = 1000;

    public InnerNetwork {
        if (hosts < 1 || ranks < 2 || ranks > RANKS_MAX) {
            throw new IllegalArgumentException(
                    "%,d hosts of %,d ranks: use 1 host or more, of 2 to %,d ranks"
                            .formatted(hosts, ranks, RANKS_MAX));
        }
        Cable.checkDelay(latencyPs);
    }

    /// A fabric with these networks beside it: its hosts keep their numbers, and the ports within
    /// hosts follow, host by host.
    public Topology beside(Topology outer) {
        int ports = Math.multiplyExact(hosts, ranks);
        Topology all = new Topology(outer, outer.hosts() + ports);
        CablePlan cable = new CablePlan(rate, latencyPs / 2);
        RoutingTable none = new RoutingTable(new short[0], new short[0][]);
        for (int host = 0; host < hosts; host++) {
            int leaf = outer.leaves() + host;
            Topology.SwitchPlan plan =
                    new Topology.SwitchPlan("inside " + host, ranks, leaf, none, true);
            int node = all.addSwitch(plan);
            for (int rank = 0; rank < ranks; rank++) {
                int port = outer.hosts() + host * ranks + rank;
                all.addHost(port, node, rank);
                all.plan(cable);
                all.nameHost(port, "host %d gpu %d".formatted(host, rank));
            }
        }
        return all;
    }
}
