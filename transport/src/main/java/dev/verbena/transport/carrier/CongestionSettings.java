package dev.verbena.transport.carrier;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// The congestion control of a device: DCQCN's parameters.
///
/// Operators know them by the names of the Linux mlx5 driver; [#with] accepts these names, in the
/// driver's units, and [#byName] returns them.
///
/// @param maxRate line rate in bits per second; each queue pair starts with it
/// @param step increase of the target rate in each additive step
/// @param hyperStep increase of the target rate once both the timer and the byte counter have
///   advanced
/// @param minRate lowest rate that notifications can cause
/// @param riseEveryNs time between increases
/// @param byteReset bytes between increases, which are counted separately
/// @param recoveryStages steps half way to the old rate before the target rises
/// @param g weight of one notification in alpha
/// @param initialAlpha alpha at the first notification
/// @param alphaEveryNs interval at which alpha falls while no notification arrives
/// @param leastPartOfCut smallest part of the rate that one notification leaves
/// @param cutEveryNs shortest time between two cuts of the rate
/// @param noticeEveryNs shortest time between two notifications to a peer
/// @param noticeDscp the DSCP of notifications
public record CongestionSettings(
        long maxRate,
        long step,
        long hyperStep,
        long minRate,
        long riseEveryNs,
        long byteReset,
        int recoveryStages,
        double g,
        double initialAlpha,
        long alphaEveryNs,
        double leastPartOfCut,
        long cutEveryNs,
        long noticeEveryNs,
        int noticeDscp) {
    private static final long MEGABIT = 1_000_000;
    private static final long MICROSECOND = 1_000;

    // How the driver writes g and alpha.
    private static final int G_UNIT = 1024;
    private static final int ALPHA_UNIT = 1023;
    private static final int PERCENT = 100;

    private static final Map<String, Long> PUBLISHED =
            Map.ofEntries(
                    Map.entry("rp_ai_rate", 40L),
                    Map.entry("rp_hai_rate", 200L),
                    Map.entry("rp_min_rate", 1L),
                    Map.entry("rp_time_reset", 55L),
                    Map.entry("rp_byte_reset", 10_000_000L),
                    Map.entry("rp_threshold", 5L),
                    Map.entry("rp_dce_tcp_g", 1020L),
                    Map.entry("rp_initial_alpha_value", 1023L),
                    Map.entry("rp_dce_tcp_rtt", 55L),
                    Map.entry("rp_min_dec_fac", 0L),
                    Map.entry("rp_rate_reduce_monitor_period", 0L),
                    Map.entry("np_min_time_between_cnps", 50L),
                    Map.entry("np_cnp_dscp", 48L));

    private static final Map<String, Long> PRODUCTION =
            Map.ofEntries(
                    Map.entry("rp_ai_rate", 5L),
                    Map.entry("rp_hai_rate", 50L),
                    Map.entry("rp_min_rate", 1L),
                    Map.entry("rp_time_reset", 300L),
                    Map.entry("rp_byte_reset", 32_767L),
                    Map.entry("rp_threshold", 1L),
                    Map.entry("rp_dce_tcp_g", 1019L),
                    Map.entry("rp_initial_alpha_value", 1023L),
                    Map.entry("rp_dce_tcp_rtt", 1L),
                    Map.entry("rp_min_dec_fac", 50L),
                    Map.entry("rp_rate_reduce_monitor_period", 4L),
                    Map.entry("np_min_time_between_cnps", 4L),
                    Map.entry("np_cnp_dscp", 48L));

    /// Checks every value.
    public CongestionSettings {
        require("rp_max_rate", maxRate >= MEGABIT, "at least 1");
        require("rp_ai_rate", step > 0, "more than 0");
        require("rp_hai_rate", hyperStep > 0, "more than 0");
        require("rp_min_rate", minRate > 0, "more than 0");
        require("rp_time_reset", riseEveryNs > 0, "more than 0");
        require("rp_byte_reset", byteReset > 0, "more than 0");
        require("rp_threshold", recoveryStages > 0, "more than 0");
        require("rp_dce_tcp_g", g > 0 && g <= 1, "0 to 1023");
        require("rp_initial_alpha_value", initialAlpha >= 0 && initialAlpha <= 1, "0 to 1023");
        require("rp_dce_tcp_rtt", alphaEveryNs > 0, "more than 0");
        require("rp_min_dec_fac", leastPartOfCut >= 0 && leastPartOfCut <= 1, "0 to 100");
        require("rp_rate_reduce_monitor_period", cutEveryNs >= 0, "0 or more");
        require("np_min_time_between_cnps", noticeEveryNs >= 0, "0 or more");
        require("np_cnp_dscp", noticeDscp >= 0 && noticeDscp < 64, "0 to 63");
    }

    private static void require(String name, boolean isRight, String range) {
        if (!isRight) {
            throw new IllegalArgumentException(name + " is out of range: use " + range);
        }
    }

    /// The parameters of the published paper, for a line rate in bits per second.
    public static CongestionSettings published(long maxRate) {
        return of(maxRate, PUBLISHED);
    }

    /// The usual defaults of adapters with the mlx5 driver; they differ between firmware versions.
    public static CongestionSettings production(long maxRate) {
        return of(maxRate, PRODUCTION);
    }

    private static CongestionSettings of(long maxRate, Map<String, Long> named) {
        SortedMap<String, Long> all = new TreeMap<>(named);
        all.put("rp_max_rate", maxRate / MEGABIT);
        return of(all);
    }

    /// The same with one parameter changed: rates in Mb/s, times in microseconds, the counter in
    /// bytes, `rp_dce_tcp_g` as 1024 (1 - g), `rp_initial_alpha_value` as 1023 alpha, and
    /// `rp_min_dec_fac` in percent.
    ///
    /// @throws IllegalArgumentException when there is none of this name, or the value is out of
    ///   range
    public CongestionSettings with(String name, long value) {
        SortedMap<String, Long> all = byName();
        if (all.replace(name, value) == null) {
            throw new IllegalArgumentException(
                    name + ": no parameter of congestion control; use one of " + all.keySet());
        }
        return of(all);
    }

    private static CongestionSettings of(Map<String, Long> all) {
        return new CongestionSettings(
                scaled(all, "rp_max_rate", MEGABIT),
                scaled(all, "rp_ai_rate", MEGABIT),
                scaled(all, "rp_hai_rate", MEGABIT),
                scaled(all, "rp_min_rate", MEGABIT),
                scaled(all, "rp_time_reset", MICROSECOND),
                value(all, "rp_byte_reset"),
                Math.toIntExact(value(all, "rp_threshold")),
                1 - (double) value(all, "rp_dce_tcp_g") / G_UNIT,
                (double) value(all, "rp_initial_alpha_value") / ALPHA_UNIT,
                scaled(all, "rp_dce_tcp_rtt", MICROSECOND),
                (double) value(all, "rp_min_dec_fac") / PERCENT,
                scaled(all, "rp_rate_reduce_monitor_period", MICROSECOND),
                scaled(all, "np_min_time_between_cnps", MICROSECOND),
                Math.toIntExact(value(all, "np_cnp_dscp")));
    }

    private static long value(Map<String, Long> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    private static long scaled(Map<String, Long> all, String name, long unit) {
        return Math.multiplyExact(value(all, name), unit);
    }

    /// All parameters by the names that operators know.
    public SortedMap<String, Long> byName() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("rp_max_rate", maxRate / MEGABIT);
        all.put("rp_ai_rate", step / MEGABIT);
        all.put("rp_hai_rate", hyperStep / MEGABIT);
        all.put("rp_min_rate", minRate / MEGABIT);
        all.put("rp_time_reset", riseEveryNs / MICROSECOND);
        all.put("rp_byte_reset", byteReset);
        all.put("rp_threshold", (long) recoveryStages);
        all.put("rp_dce_tcp_g", Math.round((1 - g) * G_UNIT));
        all.put("rp_initial_alpha_value", Math.round(initialAlpha * ALPHA_UNIT));
        all.put("rp_dce_tcp_rtt", alphaEveryNs / MICROSECOND);
        all.put("rp_min_dec_fac", Math.round(leastPartOfCut * PERCENT));
        all.put("rp_rate_reduce_monitor_period", cutEveryNs / MICROSECOND);
        all.put("np_min_time_between_cnps", noticeEveryNs / MICROSECOND);
        all.put("np_cnp_dscp", (long) noticeDscp);
        return all;
    }
}
