package dev.verbena.transport.control;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes [Swift] controllers.
public final class SwiftProvider implements ControlProvider {
    private static final SortedMap<String, Double> DEFAULTS =
            new TreeMap<>(
                    Map.of(
                            "base", 1.25,
                            "scale", 2.0,
                            "scale_min", 0.1,
                            "scale_max", 50.0,
                            "increase", 1.0,
                            "beta", 0.8,
                            "decrease_max", 0.5,
                            "start", 1.0));

    /// For `ServiceLoader`.
    public SwiftProvider() {}

    @Override
    public String name() {
        return "swift";
    }

    @Override
    public Map<String, Double> parameters() {
        return DEFAULTS;
    }

    @Override
    public boolean needsMarks() {
        return false;
    }

    @Override
    public CongestionControl make(ControlFacts facts, Map<String, Double> parameters) {
        return new Swift(facts, parameters);
    }
}
