package dev.verbena.transport.control;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes [Nscc] controllers.
public final class NsccProvider implements ControlProvider {
    private static final SortedMap<String, Double> DEFAULTS =
            new TreeMap<>(
                    Map.of(
                            "target", 1.0,
                            "window", 1.5,
                            "fair_increase", 5.0,
                            "proportional_increase", 4.0,
                            "eta", 0.15,
                            "gamma", 0.8));

    /// For `ServiceLoader`.
    public NsccProvider() {}

    @Override
    public String name() {
        return "nscc";
    }

    @Override
    public Map<String, Double> parameters() {
        return DEFAULTS;
    }

    @Override
    public CongestionControl make(ControlFacts facts, Map<String, Double> parameters) {
        return new Nscc(facts, parameters);
    }
}
