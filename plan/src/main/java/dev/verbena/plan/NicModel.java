package dev.verbena.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A NIC of the catalogue.
///
/// @param rates in Gb/s
public record NicModel(
        String name,
        List<Network> networks,
        List<Integer> rates,
        @Nullable Figure typicalWatts,
        @Nullable Figure maxWatts,
        @Nullable Figure priceUsd) {}
