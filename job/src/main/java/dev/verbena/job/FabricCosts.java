package dev.verbena.job;

import dev.verbena.collectives.plan.Costs;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.verbs.LinkLayer;

/// What the estimates of algorithms assume of a simulated fabric.
public final class FabricCosts {
    private FabricCosts() {}

    /// Of a rank that has a NIC of its own.
    public static Costs of(FabricSettings settings) {
        double gbits = settings.cable().rate().bitsPerSecond() / 1e9;
        return settings.layer() == LinkLayer.INFINIBAND
                ? Costs.infiniband(gbits)
                : Costs.roce(gbits);
    }
}
