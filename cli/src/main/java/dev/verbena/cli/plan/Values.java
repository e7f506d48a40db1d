package dev.verbena.cli.plan;

import dev.verbena.plan.Figure;
import java.util.LinkedHashMap;
import java.util.Map;

/// Figures as values of JSON.
final class Values {
    private static final double FINEST = 1000;

    private Values() {}

    static Map<String, Object> of(Figure figure) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("low", figure.low());
        value.put("high", figure.high());
        value.put("source", figure.source());
        value.put("date", figure.date());
        value.put("mark", figure.mark().word());
        return value;
    }

    /// With as many digits as texts show.
    static double rounded(double value) {
        return Math.round(value * FINEST) / FINEST;
    }
}
