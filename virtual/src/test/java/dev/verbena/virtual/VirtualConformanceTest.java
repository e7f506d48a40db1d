package dev.verbena.virtual;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.TurnWorld;
import dev.verbena.conformance.World;
import dev.verbena.transport.TransportOptions;
import java.util.List;
import java.util.function.Consumer;

class VirtualConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return world(VirtualSettings.DEFAULT);
    }

    static TurnWorld world(VirtualSettings settings) {
        VirtualNetwork network = new VirtualNetwork(settings);
        Consumer<TransportOptions> options =
                it -> it.limits(World.SMALL_LIMITS).partitionKeys(World.PARTITION_KEYS);
        return new TurnWorld(
                network::nowNs,
                network::turn,
                network::idle,
                List.of(network.open("left", options), network.open("right", options)));
    }
}
