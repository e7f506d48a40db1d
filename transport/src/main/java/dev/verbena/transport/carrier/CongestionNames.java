package dev.verbena.transport.carrier;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// The parameters of congestion control by the names and in the units of the mlx5 driver, and the
/// values that they usually have.
final class CongestionNames {
    /// Those of SIGCOMM 2015, for 40 Gb/s. `rp_hai_rate` is that of its authors' simulator.
    static final Map<String, Long> PUBLISHED =
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
                    Map.entry("rp_gd", 11L),
                    Map.entry("rp_rate_reduce_monitor_period", 0L),
                    Map.entry("rp_rate_to_set_on_first_cnp", 0L),
                    Map.entry("rp_clamp_tgt_rate", 1L),
                    Map.entry("rp_clamp_tgt_rate_ati", 1L),
                    Map.entry("np_min_time_between_cnps", 50L),
                    Map.entry("np_cnp_moderation", 2L),
                    Map.entry("np_cnp_dscp", 48L));

    /// What `mlxconfig query` shows of an adapter with its default settings.
    static final Map<String, Long> ADAPTER =
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
                    Map.entry("rp_gd", 11L),
                    Map.entry("rp_rate_reduce_monitor_period", 4L),
                    Map.entry("rp_rate_to_set_on_first_cnp", 0L),
                    Map.entry("rp_clamp_tgt_rate", 0L),
                    Map.entry("rp_clamp_tgt_rate_ati", 1L),
                    Map.entry("np_min_time_between_cnps", 4L),
                    Map.entry("np_cnp_moderation", 2L),
                    Map.entry("np_cnp_dscp", 48L));

    private static final long MEGABIT = 1_000_000;
    private static final long MICROSECOND = 1_000;

    // How the driver writes g, alpha and the part of alpha.
    private static final int G_UNIT = 1024;
    private static final int ALPHA_UNIT = 1023;
    private static final int GD_OF_ALL = 10;
    private static final int PERCENT = 100;

    private static final int PER_PORT = 1;
    private static final int PER_FLOW = 2;

    /// The line rate for which the adapters' steps are, in Mb/s, and the least rate at that.
    private static final long STEPS_FOR = 25_000;

    private static final long LEAST_MBITS = 100;

    private CongestionNames() {}

    /// The adapters' as HPCC's authors (SIGCOMM 2019) publish them for their simulations of a
    /// production network: steps in proportion to the line rate, and no byte counter.
    static Map<String, Long> production(long maxRate) {
        SortedMap<String, Long> all = new TreeMap<>(ADAPTER);
        long mbits = maxRate / MEGABIT;
        all.put("rp_byte_reset", 0L);
        all.put("rp_dce_tcp_g", 1020L);
        all.put("rp_min_rate", Math.clamp(mbits * LEAST_MBITS / STEPS_FOR, 1, LEAST_MBITS));
        for (String name : new String[] {"rp_ai_rate", "rp_hai_rate"}) {
            all.put(name, Math.max(1, value(all, name) * mbits / STEPS_FOR));
        }
        return all;
    }

    static CongestionSettings of(long maxRate, Map<String, Long> named) {
        SortedMap<String, Long> all = new TreeMap<>(named);
        all.put("rp_max_rate", maxRate / MEGABIT);
        return of(all);
    }

    static CongestionSettings of(Map<String, Long> all) {
        return new CongestionSettings(
                scaled(all, "rp_max_rate", MEGABIT),
                cut(all),
                new CongestionSettings.Alpha(
                        1 - (double) value(all, "rp_dce_tcp_g") / G_UNIT,
                        (double) value(all, "rp_initial_alpha_value") / ALPHA_UNIT,
                        scaled(all, "rp_dce_tcp_rtt", MICROSECOND)),
                new CongestionSettings.Rise(
                        scaled(all, "rp_ai_rate", MEGABIT),
                        scaled(all, "rp_hai_rate", MEGABIT),
                        scaled(all, "rp_time_reset", MICROSECOND),
                        value(all, "rp_byte_reset"),
                        Math.toIntExact(value(all, "rp_threshold"))),
                new CongestionSettings.Notice(
                        scaled(all, "np_min_time_between_cnps", MICROSECOND),
                        choice(all, "np_cnp_moderation", PER_FLOW, PER_PORT),
                        Math.toIntExact(value(all, "np_cnp_dscp"))));
    }

    private static CongestionSettings.Cut cut(Map<String, Long> all) {
        return new CongestionSettings.Cut(
                scaled(all, "rp_min_rate", MEGABIT),
                scaled(all, "rp_rate_to_set_on_first_cnp", MEGABIT),
                (double) value(all, "rp_min_dec_fac") / PERCENT,
                Math.scalb(1.0, Math.toIntExact(GD_OF_ALL - value(all, "rp_gd"))),
                scaled(all, "rp_rate_reduce_monitor_period", MICROSECOND),
                choice(all, "rp_clamp_tgt_rate", 0, 1),
                choice(all, "rp_clamp_tgt_rate_ati", 0, 1));
    }

    private static long value(Map<String, Long> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    private static long scaled(Map<String, Long> all, String name, long unit) {
        return Math.multiplyExact(value(all, name), unit);
    }

    /// Whether it is the second of two values.
    private static boolean choice(Map<String, Long> all, String name, int no, int yes) {
        long value = value(all, name);
        if (value != no && value != yes) {
            throw new IllegalArgumentException(
                    "%s is out of range: use %d or %d"
                            .formatted(name, Math.min(no, yes), Math.max(no, yes)));
        }
        return value == yes;
    }

    static SortedMap<String, Long> of(CongestionSettings settings) {
        CongestionSettings.Cut cut = settings.cut();
        CongestionSettings.Rise rise = settings.rise();
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("rp_max_rate", settings.maxRate() / MEGABIT);
        all.put("rp_ai_rate", rise.step() / MEGABIT);
        all.put("rp_hai_rate", rise.hyperStep() / MEGABIT);
        all.put("rp_time_reset", rise.everyNs() / MICROSECOND);
        all.put("rp_byte_reset", rise.everyBytes());
        all.put("rp_threshold", (long) rise.stages());
        all.put("rp_dce_tcp_g", Math.round((1 - settings.alpha().g()) * G_UNIT));
        all.put("rp_initial_alpha_value", Math.round(settings.alpha().first() * ALPHA_UNIT));
        all.put("rp_dce_tcp_rtt", settings.alpha().everyNs() / MICROSECOND);
        all.put("rp_min_rate", cut.minRate() / MEGABIT);
        all.put("rp_min_dec_fac", Math.round(cut.leastPart() * PERCENT));
        all.put("rp_gd", GD_OF_ALL - (long) Math.getExponent(cut.ofAlpha()));
        all.put("rp_rate_reduce_monitor_period", cut.everyNs() / MICROSECOND);
        all.put("rp_rate_to_set_on_first_cnp", cut.firstRate() / MEGABIT);
        all.put("rp_clamp_tgt_rate", cut.clamps() ? 1L : 0);
        all.put("rp_clamp_tgt_rate_ati", cut.clampsAfterTimer() ? 1L : 0);
        all.put("np_min_time_between_cnps", settings.notice().everyNs() / MICROSECOND);
        all.put("np_cnp_moderation", (long) (settings.notice().isPerPort() ? PER_PORT : PER_FLOW));
        all.put("np_cnp_dscp", (long) settings.notice().dscp());
        return all;
    }
}
