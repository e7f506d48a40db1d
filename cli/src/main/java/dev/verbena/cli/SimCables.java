package dev.verbena.cli;

import dev.verbena.fabric.Cable;
import dev.verbena.fabric.CablePlan;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena sim` that describe cables.
final class SimCables {
    private static final Rate USUAL = Rate.gbits(400);
    private static final double USUAL_METRES = 20;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = RateOption.class,
            description =
                    "Rate of cables in Gb/s, or as 4xHDR; with --topology, of those for which the "
                            + "file has none (400).")
    private @Nullable Rate rate;

    @Option(names = "--length", paramLabel = "METRES", description = "Cable length in metres (20).")
    private double metres = USUAL_METRES;

    @Option(
            names = "--uplink-rate",
            paramLabel = "RATE",
            converter = RateOption.class,
            description = "Rate of cables between switches (as --rate).")
    private @Nullable Rate uplinkRate;

    @Option(
            names = "--uplink-length",
            paramLabel = "METRES",
            description = "Length of cables between switches, in metres (as --length).")
    private @Nullable Double uplinkMetres;

    /// A cable that has nothing of its own.
    Cable usual() {
        return Cable.ofMetres(rate == null ? USUAL : rate, metres);
    }

    /// Gives the cables between switches what the flags say.
    Topology between(Topology topology) {
        CablePlan plan = CablePlan.USUAL;
        if (uplinkRate != null) {
            plan = plan.withRate(uplinkRate);
        }
        if (uplinkMetres != null) {
            plan = plan.withMetres(uplinkMetres);
        }
        return plan.equals(CablePlan.USUAL) ? topology : topology.withUplinks(plan);
    }
}
