package dev.verbena.transport;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.TurnWorld;
import dev.verbena.conformance.World;
import java.util.List;
import java.util.function.Consumer;

class LoopbackConformanceTest implements ConformanceSuite, PhantomConformance {
    @Override
    public World world() {
        Loopback network = new Loopback(1);
        Consumer<TransportOptions> options =
                it -> it.limits(World.SMALL_LIMITS).partitionKeys(World.PARTITION_KEYS);
        return new TurnWorld(
                network::nowNs,
                network::turn,
                network::idle,
                List.of(network.open("left", options), network.open("right", options)));
    }
}
