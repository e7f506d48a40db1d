package dev.verbena.plan;

import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// A switch of the catalogue.
///
/// @param ports how many links it has at a rate in Gb/s
/// @param linksPerCage links at the highest rate or below that share a cage
/// @param typicalWatts with passive cables
/// @param maxWatts with active cables or optics
/// @param priceUsd of one
public record SwitchModel(
        String name,
        String title,
        Network network,
        NavigableMap<Integer, Figure> ports,
        Map<Integer, Integer> linksPerCage,
        @Nullable Figure typicalWatts,
        @Nullable Figure maxWatts,
        @Nullable Figure latencyNs,
        @Nullable Figure priceUsd) {

    /// A switch of which only the number of ports is known.
    static SwitchModel ofRadix(Network network, int rate, int radix) {
        Figure ports = new Figure(radix, radix, "given as input", "today", Mark.UNVERIFIED);
        return new SwitchModel(
                radix + "-port switch",
                "a switch of %d links".formatted(radix),
                network,
                new java.util.TreeMap<>(Map.of(rate, ports)),
                Map.of(),
                null,
                null,
                null,
                null);
    }

    boolean hasRate(int rate) {
        return ports.containsKey(rate);
    }

    /// Links at a rate.
    public int radix(int rate) {
        Figure links = ports.get(rate);
        if (links == null) {
            throw new PlanException(
                    "switch %s has no links at %d Gb/s: use %s, or another switch of the catalogue"
                            .formatted(name, rate, Texts.or(ports.keySet())));
        }
        return (int) links.low();
    }

    int linksPerCage(int rate) {
        return linksPerCage.getOrDefault(rate, 1);
    }
}
