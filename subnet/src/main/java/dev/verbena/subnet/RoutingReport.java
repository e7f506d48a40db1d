package dev.verbena.subnet;

import java.util.List;

/// What the last computation of routes has done.
///
/// @param engine name of the engine in use; empty if all of them refused
/// @param note how that engine found its tiers
/// @param refusals of engines that come before it, each with its reason
/// @param isComplete whether all destinations were computed, not only those concerned by a change
/// @param destinations switches whose routes were computed
/// @param switches switches in the subnet
/// @param longest links between switches on the longest route
/// @param turns pairs of switches whose packets to each other go up after they went down, because
///   no other route exists; no host's packet does
/// @param unreachable pairs of switches without a route
/// @param lanes virtual lanes that the engine needs
public record RoutingReport(
        String engine,
        String note,
        List<String> refusals,
        boolean isComplete,
        int destinations,
        int switches,
        int longest,
        long turns,
        long unreachable,
        int lanes) {
    static final RoutingReport NONE = new RoutingReport("", "", List.of(), false, 0, 0, 0, 0, 0, 0);

    public RoutingReport {
        refusals = List.copyOf(refusals);
    }

    public boolean isRefused() {
        return engine.isEmpty() && !refusals.isEmpty();
    }
}
