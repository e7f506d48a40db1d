package dev.verbena.fabric;

/// How switches choose among equal ports, and whether they avoid cables that are down.
///
/// @param spread what chooses
/// @param isOneHash whether all switches hash alike, as with equal hash seeds; else each has a seed
///   of its own
/// @param flowletGapPs of [FabricKind.Spread#FLOWLET]: a connection that was silent for longer may
///   take another port
/// @param repairPs time from the loss of a cable until switches avoid it, or [#NO_REPAIR]
public record Routing(
        FabricKind.Spread spread, boolean isOneHash, long flowletGapPs, long repairPs) {
    /// Switches send into cables that are down.
    public static final long NO_REPAIR = -1;

    /// SAI's default idle time of adaptive routing and switching: 256 us.
    public static final long FLOWLET_GAP_PS = 256_000_000;

    /// A hash with a seed for each switch.
    public static final Routing ECMP = of(FabricKind.Spread.ECMP);

    /// InfiniBand's forwarding tables: a port for each destination.
    public static final Routing FIXED = of(FabricKind.Spread.FIXED);

    public Routing {
        if (flowletGapPs < 1 || repairPs < NO_REPAIR) {
            throw new IllegalArgumentException(
                    "routing with a flowlet gap of %d ps and a repair after %d ps: use 1 or more, 0"
                                    .formatted(flowletGapPs, repairPs)
                            + " or more");
        }
    }

    public static Routing of(FabricKind.Spread spread) {
        return new Routing(spread, false, FLOWLET_GAP_PS, NO_REPAIR);
    }

    /// The same with or without a common hash seed.
    public Routing withOneHash(boolean value) {
        return new Routing(spread, value, flowletGapPs, repairPs);
    }

    public Routing withFlowletGapPs(long value) {
        return new Routing(spread, isOneHash, value, repairPs);
    }

    public Routing withRepairPs(long value) {
        return new Routing(spread, isOneHash, flowletGapPs, value);
    }

    boolean repairs() {
        return repairPs != NO_REPAIR;
    }
}
