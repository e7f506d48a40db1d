package dev.verbena.subnet;

import java.util.List;
import java.util.function.Consumer;

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
/// @param key the M_Key that requests carry and that nodes get; 0: none. Managers that share their
///   state have one for each term instead
/// @param priority among managers, 0 to 15: SMInfo shows it
/// @param lanes virtual lanes over which service levels are spread, at most; 0: all that links
///   have, for engines that need them, and else the tables of lanes stay as they are
/// @param lmc of host ports (LMC): each has two to this power LIDs, 0 to 7
/// @param prefix of the subnet, with which its GIDs begin
/// @param routes to other subnets; the first that leads to a prefix counts
public record ManagerSettings(
        List<RoutingEngine> engines,
        int window,
        long timeoutNs,
        int retries,
        int nodesMax,
        int subnetTimeout,
        long sweepNs,
        long key,
        int priority,
        int lanes,
        int lmc,
        long prefix,
        List<PrefixRoute> routes) {
    /// IBA 4.1.1: the prefix of a subnet that was given no other.
    public static final long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;

    /// Fat trees as such, and all other fabrics without credit loops too.
    public static final ManagerSettings DEFAULT = new Draft().settings();

    public ManagerSettings {
        engines = List.copyOf(engines);
        require("routing engines", engines.size(), 1, 16);
        require("requests in flight", window, 1, SmpWindow.SIZE_MAX);
        require("retries", retries, 0, 100);
        require("nodes", nodesMax, 1, 1 << 20);
        require("subnet timeout", subnetTimeout, 0, 31);
        require("priority", priority, 0, 15);
        require("lanes", lanes, 0, 15);
        require("lmc", lmc, 0, 7);
        routes = List.copyOf(routes);
        if (prefix == 0 || prefix >>> 56 == 0xFF) {
            throw new IllegalArgumentException(
                    "subnet prefix 0x%016x: use one that is not 0 and does not begin with ff"
                            .formatted(prefix));
        }
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

    /// The settings while one of them changes.
    private static final class Draft {
        private List<RoutingEngine> engines = List.of(new FatTreeEngine(), new UpDownEngine());
        private int window = 32;
        private long timeoutNs = 200_000_000L;
        private int retries = 3;
        private int nodesMax = 1 << 16;
        private int subnetTimeout = 18;
        private long sweepNs = 10_000_000_000L;
        private long key;
        private int priority;
        private int lanes;
        private int lmc;
        private long prefix = DEFAULT_PREFIX;
        private List<PrefixRoute> routes = List.of();

        private ManagerSettings settings() {
            return new ManagerSettings(
                    engines,
                    window,
                    timeoutNs,
                    retries,
                    nodesMax,
                    subnetTimeout,
                    sweepNs,
                    key,
                    priority,
                    lanes,
                    lmc,
                    prefix,
                    routes);
        }
    }

    private ManagerSettings with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.engines = engines;
        draft.window = window;
        draft.timeoutNs = timeoutNs;
        draft.retries = retries;
        draft.nodesMax = nodesMax;
        draft.subnetTimeout = subnetTimeout;
        draft.sweepNs = sweepNs;
        draft.key = key;
        draft.priority = priority;
        draft.lanes = lanes;
        draft.lmc = lmc;
        draft.prefix = prefix;
        draft.routes = routes;
        change.accept(draft);
        return draft.settings();
    }

    public ManagerSettings withEngines(RoutingEngine... chosen) {
        return with(it -> it.engines = List.of(chosen));
    }

    public ManagerSettings withWindow(int requests) {
        return with(it -> it.window = requests);
    }

    public ManagerSettings withRetries(int times, long everyNs) {
        return with(
                it -> {
                    it.retries = times;
                    it.timeoutNs = everyNs;
                });
    }

    public ManagerSettings withNodesMax(int nodes) {
        return with(it -> it.nodesMax = nodes);
    }

    public ManagerSettings withSweepNs(long everyNs) {
        return with(it -> it.sweepNs = everyNs);
    }

    public ManagerSettings withKey(long mKey) {
        return with(it -> it.key = mKey);
    }

    public ManagerSettings withPriority(int among) {
        return with(it -> it.priority = among);
    }

    public ManagerSettings withLmc(int bits) {
        return with(it -> it.lmc = bits);
    }

    public ManagerSettings withPrefix(long ofSubnet) {
        return with(it -> it.prefix = ofSubnet);
    }

    public ManagerSettings withRoutes(List<PrefixRoute> toSubnets) {
        return with(it -> it.routes = toSubnets);
    }

    public ManagerSettings withLanes(int most) {
        return with(it -> it.lanes = most);
    }
}
