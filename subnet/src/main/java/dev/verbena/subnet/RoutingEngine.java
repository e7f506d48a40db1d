package dev.verbena.subnet;

/// A way to compute routes. An engine looks at a fabric first, and accepts or refuses it with a
/// reason; then routes are computed by a task for each destination switch.
public sealed interface RoutingEngine
        permits MinHopEngine, UpDownEngine, FatTreeEngine, LayeredEngine {
    /// Its name in reports.
    String name();
}
