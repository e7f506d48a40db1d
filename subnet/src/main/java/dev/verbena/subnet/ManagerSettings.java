package dev.verbena.subnet;

import java.util.List;

/// Settings of a subnet manager.
///
/// @param engines routing engines in order of preference; the first that accepts the fabric is used
/// @param window requests in flight
/// @param timeoutNs time after which a request is sent again
/// @param retries how often it is sent again
/// @param nodesMax switches and host ports that are remembered, at most
/// @param subnetTimeout of PortInfo: 4.096 microseconds times two to this power
/// @param sweepNs time between two looks at all switches for changes that no trap has reported; 0:
///   never
/// @param key the M_Key that requests carry and that nodes get; 0: none
public record ManagerSettings(
        List<RoutingEngine> engines,
        int window,
        long timeoutNs,
        int retries,
        int nodesMax,
        int subnetTimeout,
        long sweepNs,
        long key) {
    /// Fat trees as such, and all other fabrics without credit loops too.
    public static final ManagerSettings DEFAULT =
            new ManagerSettings(
                    List.of(new FatTreeEngine(), new UpDownEngine()),
                    32,
                    200_000_000L,
                    3,
                    1 << 16,
                    18,
                    10_000_000_000L,
                    0);

    public ManagerSettings {
        engines = List.copyOf(engines);
        require("routing engines", engines.size(), 1, 16);
        require("requests in flight", window, 1, SmpWindow.SIZE_MAX);
        require("retries", retries, 0, 100);
        require("nodes", nodesMax, 1, 1 << 20);
        require("subnet timeout", subnetTimeout, 0, 31);
        if (timeoutNs < 1 || sweepNs < 0) {
            throw new IllegalArgumentException(
                    "timeout %d ns, sweep %d ns: use a positive timeout, and 0 or more for sweeps"
                            .formatted(timeoutNs, sweepNs));
        }
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s: %d: use %d to %d".formatted(what, value, least, most));
        }
    }

    public ManagerSettings withEngines(RoutingEngine... chosen) {
        return new ManagerSettings(
                List.of(chosen), window, timeoutNs, retries, nodesMax, subnetTimeout, sweepNs, key);
    }

    public ManagerSettings withWindow(int requests) {
        return new ManagerSettings(
                engines, requests, timeoutNs, retries, nodesMax, subnetTimeout, sweepNs, key);
    }

    public ManagerSettings withRetries(int times, long everyNs) {
        return new ManagerSettings(
                engines, window, everyNs, times, nodesMax, subnetTimeout, sweepNs, key);
    }

    public ManagerSettings withNodesMax(int nodes) {
        return new ManagerSettings(
                engines, window, timeoutNs, retries, nodes, subnetTimeout, sweepNs, key);
    }

    public ManagerSettings withSweepNs(long everyNs) {
        return new ManagerSettings(
                engines, window, timeoutNs, retries, nodesMax, subnetTimeout, everyNs, key);
    }

    public ManagerSettings withKey(long mKey) {
        return new ManagerSettings(
                engines, window, timeoutNs, retries, nodesMax, subnetTimeout, sweepNs, mKey);
    }
}
