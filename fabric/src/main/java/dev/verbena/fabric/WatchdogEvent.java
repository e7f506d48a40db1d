package dev.verbena.fabric;

/// A watchdog has found a pause storm, or its end.
///
/// @param node the switch, and the number of its port
/// @param neighbour who sends the pauses
/// @param isStorm whether it begins
/// @param discarded packets that were thrown away at the port by then
public record WatchdogEvent(
        long timePs,
        String node,
        int port,
        String neighbour,
        int priority,
        boolean isStorm,
        long discarded) {}
