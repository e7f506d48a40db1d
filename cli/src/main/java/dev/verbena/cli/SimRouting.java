package dev.verbena.cli;

import dev.verbena.fabric.FabricKind.Spread;
import dev.verbena.fabric.Routing;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/// The flags of `verbena sim` that describe how switches choose among equal ports.
final class SimRouting {
    private static final double PS_PER_US = 1e6;
    private static final double US_MAX = 1e9;

    @Option(
            names = "--spread",
            paramLabel = "HOW",
            description =
                    "How packets use equal paths. ecmp: a hash of the connection chooses; weighted:"
                        + " the same, by the rates of ports; flowlet: a connection may change after"
                        + " a silence; adaptive: each packet takes the shortest queue; spray:"
                        + " packets take them in turn; fixed: the destination chooses (roce ecmp,"
                        + " ib fixed; ib has adaptive and fixed).")
    private @Nullable Spread spread;

    @Option(
            names = "--one-hash",
            description = "roce: all switches hash alike (each has a seed of its own).")
    private boolean isOneHash;

    @Option(
            names = "--flowlet-gap",
            paramLabel = "US",
            description = "roce: silence after which a flowlet ends, in microseconds (256).")
    private @Nullable Double gapUs;

    @Option(
            names = "--repair",
            paramLabel = "US",
            description =
                    "Time from the loss of a cable until switches avoid it, in microseconds (they"
                            + " do not).")
    private @Nullable Double repairUs;

    Spread spread(SimFlags.Kind kind) {
        if (spread != null) {
            return spread;
        }
        return kind == SimFlags.Kind.IB ? Spread.FIXED : Spread.ECMP;
    }

    Routing routing(SimFlags.Kind kind) {
        Routing made = Routing.of(spread(kind)).withOneHash(isOneHash);
        if (gapUs != null) {
            made = made.withFlowletGapPs(ps("--flowlet-gap", gapUs, 1 / PS_PER_US));
        }
        return repairUs == null ? made : made.withRepairPs(ps("--repair", repairUs, 0));
    }

    private static long ps(String option, double us, double least) {
        if (!(us >= least && us <= US_MAX)) {
            throw new IllegalArgumentException(
                    "%s %s: use %s to %,.0f us"
                            .formatted(option, us, least == 0 ? "0" : "0.000001", US_MAX));
        }
        return Math.round(us * PS_PER_US);
    }

    /// @throws IllegalArgumentException for the first option without effect
    void check(SimFlags.Kind kind, ParseResult given) {
        Spread chosen = spread(kind);
        String beside = "with --spread " + SimFlags.word(chosen);
        if (kind == SimFlags.Kind.IB && chosen != Spread.FIXED && chosen != Spread.ADAPTIVE) {
            throw new IllegalArgumentException(
                    beside.substring("with ".length())
                            + " has no effect with --fabric ib: InfiniBand's forwarding tables have"
                            + " a port or a group for each destination; use fixed or adaptive");
        }
        if (!List.of(Spread.ECMP, Spread.WEIGHTED, Spread.FLOWLET).contains(chosen)) {
            refuse(given, "--one-hash", beside, "no hash chooses");
        }
        if (chosen != Spread.FLOWLET) {
            refuse(given, "--flowlet-gap", beside, "there are no flowlets");
        }
    }

    private static void refuse(ParseResult given, String option, String beside, String reason) {
        if (given.hasMatchedOption(option)) {
            throw new IllegalArgumentException(
                    "%s has no effect %s: %s".formatted(option, beside, reason));
        }
    }
}
