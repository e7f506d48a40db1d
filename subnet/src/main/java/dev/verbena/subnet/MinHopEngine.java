package dev.verbena.subnet;

/// Shortest routes, spread over all ports that are equally near. It accepts every fabric, but on
/// those with loops, such as tori, packets may wait for each other in a circle without end.
public record MinHopEngine() implements RoutingEngine {
    @Override
    public String name() {
        return "min-hop";
    }
}
