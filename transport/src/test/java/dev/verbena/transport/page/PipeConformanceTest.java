package dev.verbena.transport.page;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.TurnWorld;
import dev.verbena.conformance.World;
import dev.verbena.transport.Turns;
import java.util.List;

/// The suite over the skeleton of docs/writing-a-provider.md.
class PipeConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        PipeNetwork network = new PipeNetwork();
        Turns<?> turns = network.turns();
        return new TurnWorld(
                turns::nowNs,
                turns::turn,
                turns::idle,
                List.of(network.open("left", 1), network.open("right", 2)));
    }
}
