package dev.verbena.plan;

import java.util.List;
import java.util.function.IntPredicate;

/// How far a plan grows with the same rule and the same switches.
///
/// @param lastGpus the most GPUs with as many tiers as now, or -1 where no size was found
/// @param nextTiers how many tiers the next size has; 0 where there is none
/// @param limit what ends it
/// @param addresses LIDs of the largest plane; 0 for Ethernet
public record Growth(int lastGpus, int nextTiers, String limit, int addresses) {
    /// Unicast LIDs of a subnet (IBA 4.1.3).
    public static final int LIDS_MAX = 0xBFFF;

    private static final int NODES_MAX = 1 << 20;

    static Growth of(Network network, Inputs inputs, Radices radices, List<Sized> planes) {
        Sized now = planes.getFirst();
        int nodes = inputs.cluster().nodes();
        IntPredicate same =
                count -> {
                    try {
                        Inputs larger = inputs.withNodes(count);
                        Sized size =
                                new Sizing(larger.cluster(), larger.rule(), radices)
                                        .planes()
                                        .getFirst();
                        return size.tiers() == now.tiers() && size.isPair() == now.isPair();
                    } catch (PlanException _) {
                        return false;
                    }
                };
        int last = last(nodes, same);
        int gpus = (last - inputs.cluster().spareNodes()) * inputs.cluster().gpusPerNode();
        int next = nextTiers(inputs, radices, last + 1);
        int addresses = 0;
        if (network == Network.IB) {
            for (Sized plane : planes) {
                int used = plane.hosts() + plane.managementLinks() + plane.switches();
                addresses = Math.max(addresses, used);
            }
        }
        return new Growth(gpus, next, limit(now, radices), addresses);
    }

    /// The largest number for which it holds, if it holds for all below.
    private static int last(int from, IntPredicate holds) {
        int low = from;
        int step = 1;
        while (low + step <= NODES_MAX && holds.test(low + step)) {
            low += step;
            step *= 2;
        }
        for (; step > 0; step /= 2) {
            if (low + step <= NODES_MAX && holds.test(low + step)) {
                low += step;
            }
        }
        return low;
    }

    private static int nextTiers(Inputs inputs, Radices radices, int nodes) {
        try {
            Inputs larger = inputs.withNodes(nodes);
            return new Sizing(larger.cluster(), larger.rule(), radices).planes().getFirst().tiers();
        } catch (PlanException _) {
            return 0;
        }
    }

    private static String limit(Sized now, Radices radices) {
        if (now.isPair()) {
            return "two switches have no more links";
        }
        return switch (now.tiers()) {
            case 1 -> "one switch has %d links".formatted(radices.leaf());
            case 2 -> "a spine has %d links, one at least for each leaf".formatted(radices.spine());
            default -> "a core has %d links, one at least for each pod".formatted(radices.core());
        };
    }

    /// Whether one InfiniBand subnet has too few addresses.
    public boolean exceedsSubnet() {
        return addresses > LIDS_MAX;
    }
}
