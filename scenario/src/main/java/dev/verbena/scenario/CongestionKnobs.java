package dev.verbena.scenario;

import dev.verbena.fabric.Marking;
import dev.verbena.fabric.Rate;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Congestion control of a simulated RoCE fabric: which one, its parameters, and when switches
/// mark.
///
/// @param name [#OFF], a preset of DCQCN, or another controller
/// @param parameters with other values than the usual ones
/// @param marks null for those that belong to the name
public record CongestionKnobs(
        String name, Map<String, Double> parameters, @Nullable Marking marks) {
    /// No congestion control.
    public static final String OFF = "off";

    /// None, and no marks.
    public static final CongestionKnobs NONE = new CongestionKnobs(OFF, Map.of(), null);

    private static final String PUBLISHED = "published";
    private static final Set<String> DCQCN = Set.of(PUBLISHED, "adapter", "production");

    /// Where switches mark for other controllers, in round trips of the line.
    private static final double LEAST_MARKED = 0.2;

    private static final double ALL_MARKED = 0.8;

    public CongestionKnobs {
        parameters = Map.copyOf(parameters);
    }

    public boolean isOn() {
        return !name.equals(OFF);
    }

    /// Sets the options of a device.
    ///
    /// @throws IllegalArgumentException for a parameter that the controller has not
    public void apply(TransportOptions options, ControlFacts line) {
        if (!isOn()) {
            return;
        }
        if (DCQCN.contains(name)) {
            options.congestion(dcqcn(line));
        } else {
            options.control(choice(line));
        }
    }

    /// The parameters that are in force, by name.
    public Map<String, Double> inForce(ControlFacts line) {
        if (!isOn()) {
            return Map.of();
        }
        if (!DCQCN.contains(name)) {
            return choice(line).parameters();
        }
        Map<String, Double> all = new TreeMap<>();
        dcqcn(line).byName().forEach((key, value) -> all.put(key, value.doubleValue()));
        return all;
    }

    private CongestionSettings dcqcn(ControlFacts line) {
        long rate = line.bitsPerSecond();
        CongestionSettings settings =
                switch (name) {
                    case PUBLISHED -> CongestionSettings.published(rate);
                    case "adapter" -> CongestionSettings.adapter(rate);
                    default -> CongestionSettings.production(rate);
                };
        for (Map.Entry<String, Double> each : new TreeMap<>(parameters).entrySet()) {
            settings = settings.with(each.getKey(), Math.round(each.getValue()));
        }
        return settings;
    }

    private ControlChoice choice(ControlFacts line) {
        return ControlChoice.named(name, line, parameters);
    }

    /// When switches mark.
    Marking marking(ControlFacts line) {
        if (!isOn()) {
            return Marking.NONE;
        }
        if (marks != null) {
            return marks;
        }
        if (name.equals(PUBLISHED)) {
            return Marking.PUBLISHED;
        }
        if (DCQCN.contains(name)) {
            return Marking.production(new Rate(line.bitsPerSecond()));
        }
        double trip = line.bandwidthDelayBytes();
        return choice(line).provider().needsMarks()
                ? new Marking((int) (LEAST_MARKED * trip), (int) (ALL_MARKED * trip), 1)
                : Marking.NONE;
    }
}
