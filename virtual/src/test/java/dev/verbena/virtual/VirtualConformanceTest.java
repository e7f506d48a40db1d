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
        return world(settings, options -> {});
    }

    static TurnWorld world(VirtualSettings settings, Consumer<TransportOptions> more) {
        VirtualNetwork network = new VirtualNetwork(settings);
        Consumer<TransportOptions> options =
                it -> {
                    it.limits(World.SMALL_LIMITS).partitionKeys(World.PARTITION_KEYS);
                    more.accept(it);
                };
        return new TurnWorld(
                network::nowNs,
                network::turn,
                network::idle,
                List.of(network.open("left", options), network.open("right", options)));
    }
}
