package dev.verbena.transport.control;

import java.util.Collections;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A kind of controller with its parameters, for all queue pairs of a device.
///
/// @param line what is known of the line: each queue pair has its own MTU
/// @param parameters all parameters of the provider
public record ControlChoice(
        ControlProvider provider, ControlFacts line, SortedMap<String, Double> parameters) {
    public ControlChoice {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /// Finds a controller by its name, and checks the parameters.
    ///
    /// @param changed parameters with other values than the default
    /// @throws IllegalArgumentException for a name or parameter that does not exist, or a value
    ///   that the controller refuses
    public static ControlChoice named(String name, ControlFacts line, Map<String, Double> changed) {
        for (ControlProvider each : providers()) {
            if (each.name().equals(name)) {
                return of(each, line, changed);
            }
        }
        throw new IllegalArgumentException(
                "there is no congestion control '%s'; use one of %s".formatted(name, names()));
    }

    /// A controller that need not be found.
    public static ControlChoice of(
            ControlProvider provider, ControlFacts line, Map<String, Double> changed) {
        SortedMap<String, Double> all = new TreeMap<>(provider.parameters());
        for (Map.Entry<String, Double> each : changed.entrySet()) {
            if (all.replace(each.getKey(), each.getValue()) == null) {
                throw new IllegalArgumentException(
                        "%s has no parameter '%s'; use one of %s"
                                .formatted(provider.name(), each.getKey(), all.keySet()));
            }
        }
        ControlChoice choice = new ControlChoice(provider, line, all);
        // A wrong value is refused here, and not by the first connection.
        choice.make(line.mtu(), 0);
        return choice;
    }

    /// The names of all controllers that are found.
    public static SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        providers().forEach(each -> names.add(each.name()));
        return names;
    }

    private static Iterable<ControlProvider> providers() {
        try {
            return ServiceLoader.load(
                    ControlProvider.class, ControlProvider.class.getClassLoader());
        } catch (ServiceConfigurationError broken) {
            throw new IllegalArgumentException(
                    "a congestion control cannot be loaded: " + broken.getMessage(), broken);
        }
    }

    /// A controller for one queue pair.
    ///
    /// @param limit a rate that the program has set, in bits per second, or 0
    public CongestionControl make(int mtu, long limit) {
        long rate = limit == 0 ? line.bitsPerSecond() : Math.min(limit, line.bitsPerSecond());
        return provider.make(new ControlFacts(rate, mtu, line.roundTripNs()), parameters);
    }
}
