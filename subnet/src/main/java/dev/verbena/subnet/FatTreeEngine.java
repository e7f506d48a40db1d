package dev.verbena.subnet;

/// Routes of a fat tree: up, then down, with a fixed uplink for each destination, so that
/// destinations are spread over the switches above (d-mod-k).
///
/// A fabric is a fat tree here if its links join neighbouring tiers only, counted from the switches
/// with hosts, and if every two hosts have a switch above both. Missing links and switches do no
/// harm as long as that holds.
public record FatTreeEngine() implements RoutingEngine {
    @Override
    public String name() {
        return "fat-tree";
    }
}
