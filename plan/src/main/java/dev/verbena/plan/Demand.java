package dev.verbena.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Something that a kind of network asks of those who run it.
///
/// @param key a name that does not change
public record Demand(String key, String title, String text) {
    private static final int MTU = 4096;

    /// What one of the networks of a plan demands.
    public static List<Demand> of(FabricPlan plan) {
        return switch (plan.network()) {
            case IB -> infiniBand(plan);
            case ROCE -> roce(plan);
        };
    }

    private static List<Demand> infiniBand(FabricPlan plan) {
        List<Demand> demands = new ArrayList<>();
        int lids = plan.growth().addresses();
        String planes = plan.planes().size() == 1 ? "" : ", in each of the planes";
        demands.add(
                new Demand(
                        "subnetManager",
                        "subnet manager",
                        ("one that is master and one in reserve%s; it gives %,d of %,d LIDs%s and"
                                        + " writes the tables of all switches")
                                .formatted(
                                        planes,
                                        lids,
                                        Growth.LIDS_MAX,
                                        plan.growth().exceedsSubnet()
                                                ? ", too many: several subnets are needed,"
                                                : "")));
        demands.add(
                new Demand(
                        "losslessness",
                        "losslessness",
                        "credits of each link, always on: nothing to set"));
        demands.add(
                new Demand(
                        "routing",
                        "routing",
                        "an engine of the subnet manager that suits a tree, and adaptive routing if"
                                + " the switches have it"));
        demands.add(
                new Demand(
                        "separation",
                        "separation",
                        "partitions (P_Keys) and service levels, kept by the subnet manager"));
        demands.add(
                new Demand(
                        "skills",
                        "skills",
                        "the subnet manager, its logs and the diagnostics of InfiniBand; IP only"
                                + " over gateways or IPoIB"));
        return demands;
    }

    private static List<Demand> roce(FabricPlan plan) {
        List<Demand> demands = new ArrayList<>();
        int rate = plan.inputs().rate();
        double metres =
                plan.bill().cables().stream().mapToDouble(CableLine::metres).max().orElse(0);
        demands.add(
                new Demand(
                        "pfc",
                        "PFC",
                        ("one lossless priority on every port of switches and NICs, with %,d bytes"
                             + " of headroom for %s m of cable (mlx5's formula, MTU %,d)")
                                .formatted(
                                        Headroom.bytes(rate, metres, MTU),
                                        Figure.plain(metres),
                                        MTU)));
        demands.add(
                new Demand(
                        "ecn",
                        "ECN",
                        "marks by every switch and DCQCN in every NIC; the last mark (Kmax) comes"
                                + " before the first pause (XOFF)"));
        demands.add(
                new Demand(
                        "dscp",
                        "DSCP",
                        "one map from DSCP to priority in NICs, hosts and switches; programs set it"
                                + " (traffic class 106 is DSCP 26)"));
        demands.add(
                new Demand(
                        "watchdog",
                        "PFC watchdog",
                        "on in every switch: a NIC that pauses for ever stops others (SONiC: 200 ms"
                                + " to detect, 200 ms to restore)"));
        int uplinks = plan.plane().uplinks();
        if (uplinks > 1) {
            demands.add(
                    new Demand(
                            "loadBalance",
                            "load balance",
                            ("ECMP puts %d flows on %d uplinks by chance, which uses %s%% of them;"
                                            + " adaptive routing or more queue pairs help")
                                    .formatted(uplinks, uplinks, percent(ecmpShare(uplinks)))));
        }
        demands.add(
                new Demand(
                        "skills",
                        "skills",
                        "Ethernet and IP routing, buffers, PFC and ECN on each model of switch, and"
                                + " their counters"));
        return demands;
    }

    /// Of as many flows as uplinks, spread by chance, the part of the uplinks that is used.
    static double ecmpShare(int uplinks) {
        return 1 - Math.pow(1 - 1.0 / uplinks, uplinks);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f", 100 * share);
    }
}
