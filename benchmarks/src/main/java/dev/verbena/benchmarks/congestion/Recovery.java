package dev.verbena.benchmarks.congestion;

import java.util.HashMap;
import java.util.Map;

/// The time until a flow is back at its full rate after its competitors stopped: as measured, and
/// as the equations say from the share that it had.
///
/// @param measured seconds, or infinity when it did not come back
/// @param expected seconds
record Recovery(double measured, double expected) {
    /// What counts as back.
    private static final double PART = 0.9;

    private static final int STAGES = 5;
    private static final double STEP_SECONDS = 0.1;
    private static final double SHARE_SECONDS = 2;

    /// @param left when the other flow left
    /// @param alone the first flow's rate before the other came, in Mb/s
    /// @param options of the device, as in its URI
    static Recovery of(FlowRecord flows, double left, double alone, String options) {
        double share = flows.rate(0, left - SHARE_SECONDS, left);
        return new Recovery(measured(flows, left, alone), expected(share / alone, options));
    }

    private static double measured(FlowRecord flows, double left, double alone) {
        for (double at = left; at + STEP_SECONDS <= flows.seconds(); at += STEP_SECONDS) {
            if (flows.rate(0, at, at + STEP_SECONDS) >= PART * alone) {
                return at + STEP_SECONDS / 2 - left;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /// Half way to the old rate for some stages, then the target rises by the same each time. Steps
    /// by bytes are rarer at such rates, and left out.
    private static double expected(double share, String options) {
        Map<String, Double> values = parse(options);
        double line = values.getOrDefault("rp_max_rate", 0.0);
        double step = values.getOrDefault("rp_ai_rate", 0.0);
        double seconds = values.getOrDefault("rp_time_reset", 0.0) / 1e6;
        double rate = share * line;
        double target = rate;
        int steps = 0;
        while (rate < PART * line && step > 0) {
            steps++;
            if (steps >= STAGES) {
                target = Math.min(line, target + step);
            }
            rate = (rate + target) / 2;
        }
        return steps * seconds;
    }

    private static Map<String, Double> parse(String options) {
        Map<String, Double> values = new HashMap<>();
        for (String option : options.split("&", -1)) {
            String[] parts = option.split("=", 2);
            if (parts.length == 2 && parts[1].matches("[0-9]+")) {
                values.put(parts[0], Double.parseDouble(parts[1]));
            }
        }
        return values;
    }

    boolean isAsExpected() {
        return measured > expected / 2 && measured < 2 * expected;
    }
}
