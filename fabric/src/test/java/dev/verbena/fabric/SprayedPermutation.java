package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

/// Permutations where ways are not alike, and with few values of entropy: streams of packets, so
/// that order does not matter. For [RoutingValidation].
final class SprayedPermutation {
    private static final int HOSTS = 128;
    private static final int PACKETS = 489;
    private static final long LOOK_PS = 100_000;

    private SprayedPermutation() {}

    private static FabricSettings settings(FabricKind.Spread spread) {
        return AdaptiveRoutingTest.roce(Routing.of(spread));
    }

    /// When the last packet of a permutation has come, where the first cables from aggregations to
    /// cores have a quarter of their rate.
    static long besideSlowCables(FabricKind.Spread spread, int slow) {
        Fabric fabric = new Fabric(Anchor.tree128(), settings(spread));
        int found = 0;
        Topology topology = fabric.topology();
        for (int cable = 0; cable < topology.cables() && found < slow; cable++) {
            String one = topology.isUplink(cable) ? name(topology, cable, 0) : "";
            String other = topology.isUplink(cable) ? name(topology, cable, 2) : "";
            if (one.contains("aggregation") && other.contains("core")) {
                fabric.fault(CableFault.slow(cable, CableFault.ONE_LANE));
                found++;
            }
        }
        assertThat(found).isEqualTo(slow);
        return permutation(fabric, 1);
    }

    private static String name(Topology topology, int cable, int end) {
        return topology.plan(topology.cable(cable, end)).name();
    }

    /// The same with so many values of entropy in turn for each flow, each of which a hash gives
    /// one way, on sound cables.
    static long ofEntropies(int values, long seed) {
        Fabric fabric =
                new Fabric(Anchor.tree128(), settings(FabricKind.Spread.ECMP).withSeed(seed));
        return permutation(fabric, values);
    }

    /// @param values queue pairs of each flow, which take turns packet by packet
    private static long permutation(Fabric fabric, int values) {
        Stream stream = new Stream(fabric);
        for (Flow flow : Patterns.permutation(HOSTS, 1, 1)) {
            for (int value = 0; value < values; value++) {
                int packets = PACKETS / values + (value < PACKETS % values ? 1 : 0);
                stream.send(flow.source(), flow.destination(), 0, packets, 0);
            }
        }
        while (received(fabric) < (long) HOSTS * PACKETS) {
            fabric.run(fabric.nowPs() + LOOK_PS);
        }
        return fabric.nowPs();
    }

    private static long received(Fabric fabric) {
        long received = 0;
        for (int host = 0; host < HOSTS; host++) {
            received += fabric.nic(host).port().neighbour().sentPackets();
        }
        return received;
    }
}
