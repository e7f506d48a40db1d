package dev.verbena.transport.carrier;

import java.util.SortedMap;

/// The congestion control of a device: DCQCN's parameters.
///
/// Operators know them by the names of the Linux mlx5 driver; [#with] accepts these names, in the
/// driver's units, and [#byName] returns them. docs/congestion.md has the source of each value.
///
/// @param maxRate line rate in bits per second; each queue pair starts with it
public record CongestionSettings(long maxRate, Cut cut, Alpha alpha, Rise rise, Notice notice) {
    private static final long MEGABIT = 1_000_000;

    /// How a notification reduces the rate.
    ///
    /// @param minRate lowest rate that notifications can cause
    /// @param firstRate rate and target at the first notification, before the cut; 0 for the line
    ///   rate
    /// @param leastPart smallest part of the rate that one notification leaves
    /// @param ofAlpha part of alpha by which the rate is reduced
    /// @param everyNs time between two cuts; a notification that arrives earlier takes effect at
    ///   the end of this time. 0 for the rules of the paper: each notification cuts at once, and
    ///   raises alpha.
    /// @param clamps whether each cut sets the target to the rate before it; else only the first
    ///   one after an increase does
    /// @param clampsAfterTimer whether an increase by the timer is such an increase; those by the
    ///   byte counter always are
    public record Cut(
            long minRate,
            long firstRate,
            double leastPart,
            double ofAlpha,
            long everyNs,
            boolean clamps,
            boolean clampsAfterTimer) {
        public Cut {
            require("rp_min_rate", minRate > 0, "more than 0");
            require("rp_rate_to_set_on_first_cnp", firstRate >= 0, "0 or more");
            require("rp_min_dec_fac", leastPart >= 0 && leastPart <= 1, "0 to 100");
            require("rp_gd", ofAlpha > 0 && ofAlpha <= 1, "10 or more");
            require("rp_rate_reduce_monitor_period", everyNs >= 0, "0 or more");
        }
    }

    /// How the measure of congestion follows notifications.
    ///
    /// @param g weight of one notification
    /// @param first value at the first notification
    /// @param everyNs interval at which it falls when no notification arrived
    public record Alpha(double g, double first, long everyNs) {
        public Alpha {
            require("rp_dce_tcp_g", g > 0 && g <= 1, "0 to 1023");
            require("rp_initial_alpha_value", first >= 0 && first <= 1, "0 to 1023");
            require("rp_dce_tcp_rtt", everyNs > 0, "more than 0");
        }
    }

    /// How the rate increases while no notification arrives.
    ///
    /// @param step increase of the target rate in each additive step
    /// @param hyperStep increase of the target rate once both the timer and the byte counter have
    ///   advanced
    /// @param everyNs time between increases
    /// @param everyBytes bytes between increases, which are counted separately; 0 for no byte
    ///   counter, so that the timer alone advances
    /// @param stages steps half way to the old rate before the target rises
    public record Rise(long step, long hyperStep, long everyNs, long everyBytes, int stages) {
        public Rise {
            require("rp_ai_rate", step > 0, "more than 0");
            require("rp_hai_rate", hyperStep > 0, "more than 0");
            require("rp_time_reset", everyNs > 0, "more than 0");
            require("rp_byte_reset", everyBytes >= 0, "0 or more");
            require("rp_threshold", stages > 0, "more than 0");
        }
    }

    /// How a receiver notifies senders.
    ///
    /// @param everyNs shortest time between two notifications
    /// @param isPerPort whether this is the time between any two of the port; else between two to
    ///   one peer
    /// @param dscp the DSCP of notifications
    public record Notice(long everyNs, boolean isPerPort, int dscp) {
        public Notice {
            require("np_min_time_between_cnps", everyNs >= 0, "0 or more");
            require("np_cnp_dscp", dscp >= 0 && dscp < 64, "0 to 63");
        }
    }

    public CongestionSettings {
        require("rp_max_rate", maxRate >= MEGABIT, "at least 1");
    }

    private static void require(String name, boolean isRight, String range) {
        if (!isRight) {
            throw new IllegalArgumentException(name + " is out of range: use " + range);
        }
    }

    /// The parameters of the published paper, which are for 40 Gb/s, at a line rate in bits per
    /// second.
    public static CongestionSettings published(long maxRate) {
        return CongestionNames.of(maxRate, CongestionNames.PUBLISHED);
    }

    /// The defaults of adapters with the mlx5 driver, the same at every line rate. They differ
    /// between firmware versions.
    public static CongestionSettings adapter(long maxRate) {
        return CongestionNames.of(maxRate, CongestionNames.ADAPTER);
    }

    /// The defaults of adapters in proportion to the line rate, as the authors of HPCC publish them
    /// for a production network: steps of 5 and 50 Mb/s for every 25 Gb/s, and no byte counter,
    /// which would end within a period at these rates.
    public static CongestionSettings production(long maxRate) {
        return CongestionNames.of(maxRate, CongestionNames.production(maxRate));
    }

    /// The same with one parameter changed: rates in Mb/s, times in microseconds, the counter in
    /// bytes, `rp_dce_tcp_g` as 1024 (1 - g), `rp_initial_alpha_value` as 1023 alpha,
    /// `rp_min_dec_fac` in percent, and `rp_gd` as the logarithm of 1024 / the part of alpha.
    ///
    /// @throws IllegalArgumentException when there is none of this name, or the value is out of
    ///   range
    public CongestionSettings with(String name, long value) {
        SortedMap<String, Long> all = byName();
        if (all.replace(name, value) == null) {
            throw new IllegalArgumentException(
                    name + ": no parameter of congestion control; use one of " + all.keySet());
        }
        return CongestionNames.of(all);
    }

    /// All parameters by the names that operators know.
    public SortedMap<String, Long> byName() {
        return CongestionNames.of(this);
    }
}
