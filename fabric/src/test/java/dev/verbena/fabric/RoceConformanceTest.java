package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.Feature;
import dev.verbena.conformance.TurnWorld;
import dev.verbena.conformance.World;
import dev.verbena.transport.TransportOptions;
import java.util.List;
import java.util.function.Consumer;

class RoceConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return world(FabricSettings.ROCE);
    }

    /// The first and the last host of a fabric.
    static World world(FabricSettings settings) {
        Topology topology = FatTree.threeTiers(2, 2).topology();
        Fabric fabric = new Fabric(topology, settings);
        Consumer<TransportOptions> options =
                it -> it.limits(World.SMALL_LIMITS).partitionKeys(World.PARTITION_KEYS);
        return new TurnWorld(
                        () -> fabric.nowPs() / Clock.PS_PER_NS,
                        fabric::turn,
                        fabric::idle,
                        List.of(
                                fabric.open(0, options),
                                fabric.open(topology.hosts() - 1, options)))
                .lacking(Feature.MULTICAST, "switches have no multicast tables yet");
    }
}
